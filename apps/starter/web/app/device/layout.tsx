import { StepUp } from '@svc/web/account'
import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return <StepUp>{children}</StepUp>
}
