import type { StepUpDialog as Asked } from '../../account/step-up-provider.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ConfirmFactor } from './confirm-factor.tsx'
import { ConfirmOwner } from './confirm-owner.tsx'

/** Asks the signed-in user for a proof once more. */
export function StepUpDialog({ dialog }: { dialog: Asked }) {
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
