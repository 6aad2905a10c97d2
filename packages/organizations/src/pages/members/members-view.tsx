'use client'

import { Button, ButtonLink, Outcome, RelativeTime, useNow } from '@svc/web/account'
import { useRef, useState } from 'react'
import { useAct } from '../acts/use-act.ts'
import type { Member, OwnOrganization, Role } from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import { isWithin, useRoleWords } from '../roles/role-words.ts'
import { MemberActs, type MemberRowProps } from './member-acts.tsx'

interface MembersViewProps {
  organization: OwnOrganization
  /** One page of them. */
  members: readonly Member[]
  roles: readonly Role[]
  /** Where the next page begins, or null on the last. */
  next: string | null
  isFirst: boolean
  userId: string
  renderedAt: number
}

/** The members of an organization, and what the user may do about each. */
export function MembersView({ organization, members, roles, userId, ...list }: MembersViewProps) {
  const acting = useAct({ invalid: 'A member has at least one role.' })
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
            isBusy={acting.isBusy}
            isSelf={member.userId === userId}
          />
        ))}
      </ul>
      <Pages slug={organization.slug} next={list.next} isFirst={list.isFirst} />
    </div>
  )
}

function MemberRow(given: MemberRowProps) {
  const { member, roles, now, isSelf } = given
  const say = useOrganizationSay()
  const roleWords = useRoleWords(roles)
  const [isOpen, setOpen] = useState(false)
  const name = nameOf(member)
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart">
        <div className="svc-entry-text svc-entry-text-wide">
          <h2 className="svc-entry-title svc-entry-title-close">
            <bdi className="svc-strong svc-break">{name}</bdi>
            {isSelf && <span className="svc-badge svc-badge-tiny">{say('You')}</span>}
          </h2>
          {member.displayName && member.email && (
            <p className="svc-small svc-break">
              <bdi>{member.email}</bdi>
            </p>
          )}
          <p className="svc-note svc-above-1">
            {say.nodes('{roles} · joined {since}', {
              roles: roleWords(member.roles),
              since: <RelativeTime at={member.joinedAt} now={now} />,
            })}
          </p>
        </div>
        {mayChange(given) && (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? say('Done') : say('Manage')}
            <span className="svc-hidden"> {name}</span>
          </Button>
        )}
      </div>
      {isOpen && mayChange(given) && <MemberActs {...given} name={name} />}
    </li>
  )
}

/** Members who may do more than the user are as they are. Leaving is under Settings. */
function mayChange({ organization, member, roles, isSelf }: MemberRowProps) {
  const { permissions } = organization
  const isPermitted =
    permissions.includes('member:update') || (permissions.includes('member:remove') && !isSelf)
  const held = roles.filter(({ name }) => member.roles.includes(name))
  return isPermitted && held.every((role) => isWithin(organization, role))
}

function nameOf({ displayName, email, userId }: Member) {
  return displayName ?? email ?? userId
}

/** Lists of members go on where a page has ended. */
function Pages({ slug, next, isFirst }: { slug: string; next: string | null; isFirst: boolean }) {
  const say = useOrganizationSay()
  const href = usePlaces().pageOf(slug, 'members')
  if (isFirst && next === null) return null
  return (
    <nav aria-label={say('Pages of members')} className="svc-pager">
      {isFirst ? <span /> : <ButtonLink href={href}>{say('← First page')}</ButtonLink>}
      {next !== null && (
        <ButtonLink href={`${href}?${new URLSearchParams({ after: next })}`} prefetch={false}>
          {say('Next page →')}
        </ButtonLink>
      )}
    </nav>
  )
}
