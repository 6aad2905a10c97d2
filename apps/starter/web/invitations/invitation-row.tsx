import type { InvitationItem } from '@svc/auth'
import { RelativeTime } from '../board/relative-time.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { expiryWords } from './expiry-words.ts'
import { statusWords } from './status-words.ts'

interface Props {
  invitation: InvitationItem
  now: number
  isBusy: boolean
  mayInvite: boolean
  mayDelete: boolean
  onResend: () => void
  onCancel: () => void
  onDelete: () => void
}

/** One invitation, and what can be done about it. */
export function InvitationRow({ invitation, now, isBusy, mayInvite, mayDelete, ...on }: Props) {
  const { email, status } = invitation
  const isWaiting = status === 'pending'
  const of = <span className="sr-only"> the invitation of {email}</span>
  return (
    <li className="border-line border-b py-4 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <InvitationFacts {...{ invitation, now }} />
        <div className="flex flex-wrap items-start gap-2">
          {isWaiting && mayInvite && (
            <>
              <Button isBusy={isBusy} onClick={on.onResend}>
                Send again{of}
              </Button>
              <ConfirmButton
                isBusy={isBusy}
                question={`Take the invitation of ${email} back? Its link is dead then.`}
                confirm="Yes, cancel it"
                onConfirm={on.onCancel}
              >
                Cancel{of}
              </ConfirmButton>
            </>
          )}
          {mayDelete && (
            <ConfirmButton
              isBusy={isBusy}
              question={`Delete the invitation of ${email} for good? An account that it has opened stays.`}
              confirm="Delete it"
              onConfirm={on.onDelete}
            >
              Delete{of}
            </ConfirmButton>
          )}
        </div>
      </div>
    </li>
  )
}

function InvitationFacts({ invitation, now }: Pick<Props, 'invitation' | 'now'>) {
  const { email, role, status, createdAt } = invitation
  return (
    <div className="min-w-0 grow basis-60">
      <h3 className="flex flex-wrap items-baseline gap-x-2 gap-y-1 [overflow-wrap:anywhere]">
        <bdi className="font-medium">{email}</bdi>
        <span
          className={`rounded-full px-2 py-0.5 text-xs ${status === 'pending' ? 'bg-fresh' : 'border border-line text-faded'}`}
        >
          {statusWords[status]}
        </span>
      </h3>
      <p className="mt-1 text-faded text-sm">
        <code>{role}</code> · invited <RelativeTime at={createdAt} now={now} />
        {status === 'pending' && ` · ${expiryWords(invitation.expiresAt, now)}`}
      </p>
    </div>
  )
}
