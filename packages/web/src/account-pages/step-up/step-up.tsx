'use client'

import type { ReactNode } from 'react'
import {
  type StepUpDialog as StepUpAsked,
  StepUpProvider,
  useMfaStatus,
} from '../../account/account.ts'
import { stepUpFailure } from '../failures/factor-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { ProveFactor } from '../second-factor/prove-factor.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ConfirmOwner } from './confirm-owner.tsx'

/**
 * Around pages whose actions may need a proof: it asks for the proof, and then the action continues
 * by itself.
 */
export function StepUp({ children }: { children: ReactNode }) {
  return (
    <StepUpProvider render={(dialog) => <StepUpDialog dialog={dialog} />}>
      {children}
    </StepUpProvider>
  )
}

/** Asks the signed-in user for a proof again. */
function StepUpDialog({ dialog }: { dialog: StepUpAsked }) {
  const say = useSay()
  const { cancel } = dialog
  const wayOut = <Button onClick={cancel}>{say('Cancel')}</Button>
  return (
    <Dialog title={say('Confirm that it is you')} onCancel={cancel}>
      <p className="svc-note svc-paragraph svc-below-4">{say(words[dialog.kind])}</p>
      {dialog.kind === 'factor' ? (
        <ConfirmFactor factor={dialog}>{wayOut}</ConfirmFactor>
      ) : (
        <ConfirmOwner dialog={dialog}>{wayOut}</ConfirmOwner>
      )}
    </Dialog>
  )
}

const words = {
  factor: 'Confirm your second step again. Your action continues by itself.',
  password:
    'You signed in here a while ago. Confirm that it is you, and your action continues by itself.',
} as const

interface Props {
  factor: Extract<StepUpAsked, { kind: 'factor' }>
  /** Beside the button: how to cancel. */
  children: ReactNode
}

/** Asks for the second step of the signed-in user, first for the kind that they have. */
function ConfirmFactor({ factor, children }: Props) {
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
