import type { InvitationItem, RoleItem } from '@svc/auth'
import { useSay } from '../provider/account-provider.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { expiryWords } from './expiry-words.ts'
import { type Actions, InvitationActions } from './invitation-actions.tsx'
import { roleWords } from './role-words.ts'
import { statusWords } from './status-words.ts'

interface Facts {
  invitation: InvitationItem
  /** Null where the user may not see the roles. */
  roles: RoleItem[] | null
  now: number
}

/** One invitation, and what can be done about it. */
export function InvitationRow({ now, roles, ...actions }: Facts & Actions) {
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart">
        <InvitationFacts {...{ now, roles }} invitation={actions.invitation} />
        <InvitationActions {...actions} />
      </div>
    </li>
  )
}

function InvitationFacts({ invitation, roles, now }: Facts) {
  const say = useSay()
  const { email, role, status, createdAt } = invitation
  return (
    <div className="svc-entry-text svc-entry-text-wide">
      <h3 className="svc-entry-title svc-entry-title-close">
        <bdi className="svc-strong">{email}</bdi>
        <span
          className={`svc-badge svc-badge-tiny ${status === 'pending' ? 'svc-badge-fresh' : ''}`}
        >
          {say(statusWords[status])}
        </span>
      </h3>
      <p className="svc-note svc-above-1">
        <>
          {say.nodes('as {role} · invited {since}', {
            role: <bdi>{roleWords(say, role, roles)}</bdi>,
            since: <RelativeTime at={createdAt} now={now} />,
          })}
        </>
        {status === 'pending' && ` · ${expiryWords(say, invitation.expiresAt, now)}`}
      </p>
    </div>
  )
}
