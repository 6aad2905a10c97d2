'use client'

import type { ReactNode } from 'react'
import { StepUpProvider } from '../../account/step-up-provider.ts'
import { StepUpDialog } from './step-up-dialog.tsx'

/** Around pages whose actions may need a proof once more: it is asked for, and the action goes on by itself. */
export function StepUp({ children }: { children: ReactNode }) {
  return (
    <StepUpProvider render={(dialog) => <StepUpDialog dialog={dialog} />}>
      {children}
    </StepUpProvider>
  )
}
