import { type StepUpDialog, useMfaStatus } from '@svc/web/react'
import type { ReactNode } from 'react'
import { stepUpFailure } from '../second-factor/factor-failure.ts'
import { ProveFactor } from '../second-factor/prove-factor.tsx'

interface Props {
  factor: Extract<StepUpDialog, { kind: 'factor' }>
  /** Beside the button: a way out. */
  children: ReactNode
}

/** Asks for the second step of whoever is signed in, first for what they have. */
export function ConfirmFactor({ factor, children }: Props) {
  const { status, loading } = useMfaStatus()
  const canUsePasskey = status || loading.error !== null ? factor.canUsePasskey : null
  return (
    <ProveFactor
      factor={{ ...factor, canUsePasskey }}
      hasApp={status && status.methods.includes('totp')}
      failure={stepUpFailure}
      label="Continue"
      busyLabel="Checking…"
    >
      {children}
    </ProveFactor>
  )
}
