import type { LetIn } from '@svc/auth'
import { useSay } from '../provider/account-provider.tsx'
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
  const say = useSay()
  const until = Math.max(...approvals.map(({ expiresAtMillis = 0 }) => expiresAtMillis))
  return (
    <section aria-labelledby="approved" className="svc-sheet svc-above-5">
      <h2 id="approved" className="svc-title">
        {say('Approved, not signed in yet')}
      </h2>
      <p className="svc-note svc-prose svc-above-1 svc-break">
        {say.nodes(
          '{names} can sign in until {time}. If you did not approve this, sign out all other devices. That also ends the approval.',
          { names: namesOf(say, approvals), time: <ExactTime at={until} /> },
        )}
      </p>
      <div className="svc-flex svc-above-4">
        <ConfirmButton
          look="danger"
          isBusy={isBusy}
          question={say(
            'End the approval and sign out all other devices? This one stays signed in.',
          )}
          confirm={say('Yes, sign out')}
          onConfirm={onSignOutAll}
        >
          {say('End it and sign out all other devices')}
        </ConfirmButton>
      </div>
    </section>
  )
}
