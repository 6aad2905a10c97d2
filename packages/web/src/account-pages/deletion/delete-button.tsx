import { type OwnerProof, useRequestAccountDeletion } from '../../account/use-account-deletion.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { useArrival } from '../ui/use-arrival.ts'
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
  const say = useSay()
  const paths = usePaths()
  const arrive = useArrival()
  const { run, error, isRunning } = useRequestAccountDeletion({
    onClosed: (purgeAt) => {
      noteClosed(email)
      arrive(restoreAddress(paths.restore, purgeAt))
    },
  })

  function confirm() {
    const given = proof()
    if (given) void run(given)
  }

  return (
    <div className="svc-stack">
      <Outcome problem={problem || (error ? deletionFailure(say, error) : '')} />
      <div className="svc-flex">
        <ConfirmButton
          look="danger"
          isBusy={isRunning}
          refusal={error}
          question={say(
            'Delete your account now? This signs out every device at once, including this one.',
          )}
          confirm={isRunning ? say('Deleting…') : say('Yes, delete my account')}
          onConfirm={confirm}
        >
          {say('Delete my account')}
        </ConfirmButton>
      </div>
    </div>
  )
}
