import { ConsoleLayout } from '@svc/web/console/next'
import { getSession } from '@svc/web/next'
import type { ReactNode } from 'react'
import { isSuperadmin } from '../../permissions.ts'
import { pageWords } from '../../words/page-words.ts'

export default async function Layout({ children }: { children: ReactNode }) {
  const session = await getSession().catch(() => null)
  const { roles } = await pageWords()
  const own = session && isSuperadmin(session) ? [{ href: '/admin/roles', label: roles.title }] : []
  return <ConsoleLayout tabs={own}>{children}</ConsoleLayout>
}
