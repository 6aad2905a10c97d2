import type { InvitationItem, RoleItem } from '@svc/auth'
import { RelativeTime } from '../board/relative-time.tsx'
import { expiryWords } from './expiry-words.ts'
import { type Actions, InvitationActions } from './invitation-actions.tsx'
import { roleWords } from './role-words.ts'
import { statusWords } from './status-words.ts'

interface Facts {
  invitation: InvitationItem
  /** Null where whoever reads it is not told which there are. */
  roles: RoleItem[] | null
  now: number
}

/** One invitation, and what can be done about it. */
export function InvitationRow({ now, roles, ...actions }: Facts & Actions) {
  return (
    <li className="border-line border-b py-4 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <InvitationFacts {...{ now, roles }} invitation={actions.invitation} />
        <InvitationActions {...actions} />
      </div>
    </li>
  )
}

function InvitationFacts({ invitation, roles, now }: Facts) {
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
        as <bdi>{roleWords(role, roles)}</bdi> · invited <RelativeTime at={createdAt} now={now} />
        {status === 'pending' && ` · ${expiryWords(invitation.expiresAt, now)}`}
      </p>
    </div>
  )
}
