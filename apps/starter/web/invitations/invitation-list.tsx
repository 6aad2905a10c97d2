import type { InvitationItem, RoleItem } from '@svc/auth'
import { useNow } from '../board/use-now.ts'
import { Outcome } from '../ui/outcome.tsx'
import { InvitationRow } from './invitation-row.tsx'
import { useInvitationList } from './use-invitation-list.ts'

interface Props {
  invitations: InvitationItem[]
  roles: RoleItem[] | null
  renderedAt: number
  mayInvite: boolean
  mayDelete: boolean
  /** Something is being done about one of them. */
  onAct: () => void
}

/** The invitations, with what can be done about each. */
export function InvitationList({ invitations, renderedAt, onAct, ...given }: Props) {
  const now = useNow(renderedAt)
  const { list, problem, done, isBusy, resend, cancel, remove } = useInvitationList(onAct)
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      <div className="has-[p:not(:empty)]:mt-4">
        <Outcome problem={problem} done={done} />
      </div>
      {invitations.length === 0 ? (
        <p className="pt-5 text-faded text-sm">There are no invitations here.</p>
      ) : (
        <ul className="mt-5 rounded-xl border border-line bg-sheet p-5 sm:p-6">
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.invitationId}
              {...{ ...given, invitation, now, isBusy }}
              onResend={() => void resend(invitation)}
              onCancel={() => void cancel(invitation)}
              onDelete={() => void remove(invitation)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
