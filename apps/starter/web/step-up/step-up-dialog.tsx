import type { StepUpDialog as Asked } from '@svc/web/react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ConfirmFactor } from './confirm-factor.tsx'
import { ConfirmOwner } from './confirm-owner.tsx'

/** Asks whoever is signed in to show once more that it is them. */
export function StepUpDialog({ dialog }: { dialog: Asked }) {
  const { cancel } = dialog
  const wayOut = <Button onClick={cancel}>Cancel</Button>
  return (
    <Dialog title="Confirm that it is you" onCancel={cancel}>
      <p className="mb-4 text-faded text-sm leading-relaxed">{words[dialog.kind]}</p>
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
}
