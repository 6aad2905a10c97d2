import { ConsoleLayout } from '@svc/web/console/next'
import { getSession } from '@svc/web/next'
import type { ReactNode } from 'react'
import { isSuperadmin } from '../../permissions.ts'

export default async function Layout({ children }: { children: ReactNode }) {
  const session = await getSession().catch(() => null)
  const own = session && isSuperadmin(session) ? [{ href: '/admin/roles', label: 'Roles' }] : []
  return <ConsoleLayout tabs={own}>{children}</ConsoleLayout>
}
