import type { ReactNode } from 'react'
import { StepUp } from '../../step-up/step-up.tsx'

export default function Layout({ children }: { children: ReactNode }) {
  return <StepUp>{children}</StepUp>
}
