'use client'

import { Button, Outcome, RelativeTime, useNow } from '@svc/web/account'
import { useRef, useState } from 'react'
import { ListPages } from '../acts/list-pages.tsx'
import { MemberEntry, nameOf } from '../acts/member-entry.tsx'
import { useAct } from '../acts/use-act.ts'
import type { Member, OwnOrganization, Role, Team } from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import { areWithin, useRoleWords } from '../roles/role-words.ts'
import { mayManageTeam } from '../teams/team-roles.ts'
import { MemberActs, type MemberRowProps } from './member-acts.tsx'

interface MembersViewProps {
  organization: OwnOrganization
  /** One page of them. */
  members: readonly Member[]
  roles: readonly Role[]
  teams: readonly Team[]
  /** Where the next page begins, or null on the last. */
  next: string | null
  isFirst: boolean
  userId: string
  renderedAt: number
}

/** The members of an organization, and what the user may do about each. */
export function MembersView({
  organization,
  members,
  roles,
  teams,
  userId,
  ...list
}: MembersViewProps) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const acting = useAct({
    invalid: 'A member has at least one role.',
    full: 'This member is in as many teams as a member may be.',
  })
  const open = teams.filter((team) => mayManageTeam(organization, team, roles))
  const now = useNow(list.renderedAt)
  const box = useRef<HTMLDivElement>(null)

  async function run(act: () => Promise<unknown>, words: string) {
    const isDone = await acting.run(act, words)
    // The button that had the focus may disappear with its member.
    if (isDone) box.current?.focus()
    return isDone
  }

  return (
    <div ref={box} tabIndex={-1} className="svc-focusable">
      <div className="svc-outcome-box">
        <Outcome problem={acting.problem} done={acting.done} />
      </div>
      <ul className="svc-sheet">
        {members.map((member) => (
          <MemberRow
            key={member.userId}
            {...{ organization, member, roles, now, run }}
            teams={open}
            isBusy={acting.isBusy}
            isSelf={member.userId === userId}
          />
        ))}
      </ul>
      <ListPages
        label={say('Pages of members')}
        href={pageOf(organization.slug, 'members')}
        next={list.next}
        isFirst={list.isFirst}
      />
    </div>
  )
}

function MemberRow(given: MemberRowProps) {
  const { member, roles, now, isSelf } = given
  const say = useOrganizationSay()
  const roleWords = useRoleWords(roles)
  const [isOpen, setOpen] = useState(false)
  const name = nameOf(member)
  const mayChange = isChangeable(given)
  const mayManage = mayChange || given.teams.length > 0
  return (
    <li className="svc-listed">
      <MemberEntry
        {...{ member, isSelf }}
        note={say.nodes('{roles} · joined {since}', {
          roles: roleWords(member.roles),
          since: <RelativeTime at={member.joinedAt} now={now} />,
        })}
      >
        {mayManage && (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? say('Done') : say('Manage')}
            <span className="svc-hidden"> {name}</span>
          </Button>
        )}
      </MemberEntry>
      {isOpen && mayManage && <MemberActs {...given} {...{ name, mayChange }} />}
    </li>
  )
}

/** Members who may do more than the user are as they are. Leaving is under Settings. */
function isChangeable({ organization, member, roles, isSelf }: MemberRowProps) {
  const { permissions } = organization
  const isPermitted =
    permissions.includes('member:update') || (permissions.includes('member:remove') && !isSelf)
  return isPermitted && areWithin(organization, member.roles, roles)
}
