import type { LetIn } from '@svc/auth'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { ExactTime } from '../ui/exact-time.tsx'
import { namesOf } from './device-words.ts'

interface Props {
  approvals: LetIn[]
  isBusy: boolean
  onSignOutAll: () => void
}

/** Devices that were approved and have not signed in yet: signing out the device that approved them does not stop them. */
export function WaitingApprovals({ approvals, isBusy, onSignOutAll }: Props) {
  const until = Math.max(...approvals.map(({ expiresAtMillis = 0 }) => expiresAtMillis))
  return (
    <section
      aria-labelledby="approved"
      className="mt-5 rounded-xl border border-line bg-sheet p-5 sm:p-6"
    >
      <h2 id="approved" className="font-medium text-lg">
        Approved, not signed in yet
      </h2>
      <p className="mt-1 max-w-prose text-faded text-sm [overflow-wrap:anywhere]">
        {namesOf(approvals)} can sign in until <ExactTime at={until} />. If you did not approve
        this, sign out all other devices. That also ends the approval.
      </p>
      <div className="mt-4 flex flex-wrap">
        <ConfirmButton
          look="danger"
          isBusy={isBusy}
          question="End the approval and sign out all other devices? This one stays signed in."
          confirm="Yes, sign out"
          onConfirm={onSignOutAll}
        >
          End it and sign out all other devices
        </ConfirmButton>
      </div>
    </section>
  )
}
