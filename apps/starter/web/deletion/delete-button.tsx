import { type OwnerProof, useRequestAccountDeletion } from '@svc/web/react'
import { useArrival } from '../sign-in/use-arrival.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { noteClosed } from './closed-account.ts'
import { deletionFailure } from './deletion-failure.ts'
import { restoreAddress } from './restore-address.ts'

interface Props {
  /** Empty where the account has none. */
  email: string
  /** What was given to show that it is the owner who asks; null while it is missing. */
  proof: () => OwnerProof | null
  /** What is missing. */
  problem?: string
}

/** Asks once more, closes the account, and leads to where it says until when that can be taken back. */
export function DeleteButton({ email, proof, problem = '' }: Props) {
  const arrive = useArrival()
  const { run, error, isRunning } = useRequestAccountDeletion({
    onClosed: (purgeAt) => {
      noteClosed(email)
      arrive(restoreAddress(purgeAt))
    },
  })

  function confirm() {
    const given = proof()
    if (given) void run(given)
  }

  return (
    <div className="grid gap-4">
      <Outcome problem={problem || (error ? deletionFailure(error) : '')} />
      <div className="flex">
        <ConfirmButton
          look="danger"
          isBusy={isRunning}
          refusal={error}
          question="Delete your account now? This signs out every device at once, including this one."
          confirm={isRunning ? 'Deleting…' : 'Yes, delete my account'}
          onConfirm={confirm}
        >
          Delete my account
        </ConfirmButton>
      </div>
    </div>
  )
}
