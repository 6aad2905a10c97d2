import { RelativeTime } from '@svc/web/account'
import { PersonLabel } from '@svc/web/console'
import type { Details, Member } from '../console-api.ts'
import { useConsoleSay } from '../words/use-console-say.ts'
import { ReasonedAct } from './reasoned-act.tsx'
import type { OrganizationAct } from './use-organization-acts.ts'

interface Props {
  member: Member
  organization: Details
  now: number
  mayPromote: boolean
  isBusy: boolean
  onAct: (act: OrganizationAct) => void
}

/** A member. An operator without the permission to see users sees the id alone. */
export function MemberRow({ member, organization, now, mayPromote, isBusy, onAct }: Props) {
  const say = useConsoleSay()
  const { userId, roles, joinedAt } = member
  const name = memberName(member)
  return (
    <li className="svc-entry-box">
      <div className="svc-entry svc-entry-apart">
        <div className="svc-entry-text svc-entry-text-wide">
          <h3 className="svc-entry-title">
            <PersonLabel id={userId} account={labelOf(member)} />
          </h3>
          <p className="svc-note svc-above-half">
            {say.nodes('{roles} · joined {since}', {
              roles: <bdi className="svc-break">{roles.join(', ')}</bdi>,
              since: <RelativeTime at={joinedAt} now={now} />,
            })}
          </p>
        </div>
        {mayPromote && (
          <ReasonedAct
            of={`owner-${userId}`}
            button={
              <>
                {say('Make an owner')}
                <span className="svc-hidden"> {name}</span>
              </>
            }
            question={say(
              'Make {member} an owner of {name}? Do this only if no owner can be reached.',
              { member: name, name: organization.name },
            )}
            confirm={say('Yes, make an owner')}
            isBusy={isBusy}
            onConfirm={(reason) => onAct({ kind: 'add owner', reason, userId, name })}
          />
        )}
      </div>
    </li>
  )
}

const memberName = ({ email, displayName, userId }: Member) => email ?? displayName ?? userId

function labelOf({ userId, email, displayName }: Member) {
  if (email === null && displayName === null) return undefined
  return {
    userId,
    isDeleted: false,
    ...(email !== null && { name: email }),
    ...(displayName !== null && { displayName }),
  }
}
