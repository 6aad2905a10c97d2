import { ConsoleLayout } from '@svc/web/console/next'
import type { ReactNode } from 'react'
import { parts } from '../../admin/parts.ts'

export default function Layout({ children }: { children: ReactNode }) {
  return <ConsoleLayout parts={parts}>{children}</ConsoleLayout>
}
