import type { ReactNode } from 'react'
import type { StepUpDialog } from '../../account/step-up-provider.ts'
import { useMfaStatus } from '../../account/use-mfa.ts'
import { stepUpFailure } from '../failures/factor-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { ProveFactor } from '../second-factor/prove-factor.tsx'

interface Props {
  factor: Extract<StepUpDialog, { kind: 'factor' }>
  /** Beside the button: a way out. */
  children: ReactNode
}

/** Asks for the second step of the signed-in user, first for what they have. */
export function ConfirmFactor({ factor, children }: Props) {
  const say = useSay()
  const { status, loading } = useMfaStatus()
  const canUsePasskey = status || loading.error !== null ? factor.canUsePasskey : null
  return (
    <ProveFactor
      factor={{ ...factor, canUsePasskey }}
      hasApp={status && status.methods.includes('totp')}
      failure={(error) => stepUpFailure(say, error)}
      label={say('Continue')}
      busyLabel={say('Checking…')}
    >
      {children}
    </ProveFactor>
  )
}
