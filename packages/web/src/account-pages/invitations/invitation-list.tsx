import type { InvitationItem, RoleItem } from '@svc/auth'
import { useSay } from '../provider/account-provider.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { useNow } from '../ui/use-now.ts'
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
  const say = useSay()
  const now = useNow(renderedAt)
  const { list, problem, done, isBusy, resend, cancel, remove } = useInvitationList(onAct)
  return (
    <div ref={list} tabIndex={-1} className="svc-focusable">
      <div className="svc-outcome-box">
        <Outcome problem={problem} done={done} />
      </div>
      {invitations.length === 0 ? (
        <p className="svc-note svc-above-5">{say('There are no invitations here.')}</p>
      ) : (
        <ul className="svc-sheet svc-above-5">
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
