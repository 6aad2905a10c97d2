'use client'

import {
  AccountPage,
  ButtonLink,
  Outcome,
  Panel,
  RelativeTime,
  TextLink,
  useNow,
} from '@svc/web/account'
import { CursorPager, ExactTime, Fact, useConsolePlaces } from '@svc/web/console'
import type { Details, Member } from '../console-api.ts'
import { stateWords } from '../list/organization-row.tsx'
import { useConsoleSay } from '../words/use-console-say.ts'
import { MemberRow } from './member-row.tsx'
import { OrganizationActs } from './organization-acts.tsx'
import { Policies } from './policies.tsx'
import { useOrganizationActs } from './use-organization-acts.ts'

interface Props {
  organization: Details
  /** The first page of them. */
  owners: readonly Member[]
  /** One page of them. */
  members: readonly Member[]
  next: string | undefined
  isFirst: boolean
  /** The address of the list. */
  list: string
  may: { manage: boolean; readTrail: boolean }
  /** The operator. */
  userId: string
  renderedAt: number
}

/** What an operator sees of an organization, and what they can do. */
export function OrganizationView({ organization, list, may, userId, renderedAt, ...lists }: Props) {
  const say = useConsoleSay()
  const now = useNow(renderedAt)
  const { act, acts, page, problem, done, isBusy } = useOrganizationActs(organization)
  const { organizationId, name, ownerCount } = organization
  const mayManage = may.manage && organization.state === 'open'
  const row = (member: Member) => (
    <MemberRow
      key={`${member.userId} ${acts}`}
      {...{ member, organization, now, isBusy }}
      mayPromote={mayManage && member.userId !== userId && !member.roles.includes('owner')}
      onAct={(each) => void act(each)}
    />
  )
  const address = `${list}/${organizationId}`
  return (
    <AccountPage title={name}>
      <div className="svc-outcome-box">
        <Outcome problem={problem} done={done} />
      </div>
      <div ref={page} tabIndex={-1} className="svc-focusable svc-stack svc-stack-6">
        <p className="svc-small">
          <TextLink isAlone href={list}>
            {say('← All organizations')}
          </TextLink>
        </p>
        <Facts organization={organization} now={now} hasTrail={may.readTrail} />
        <Policies policies={organization.policies} now={now} />
        <Panel title={say('Owners')}>
          {lists.owners.length === 0 && (
            <p className="svc-note">{say('This organization has no owner.')}</p>
          )}
          <ul className="svc-entries">{lists.owners.map(row)}</ul>
          {ownerCount > lists.owners.length && lists.owners.length > 0 && (
            <p className="svc-note svc-above-3">
              {say('Only the first {count} owners are listed.', { count: lists.owners.length })}
            </p>
          )}
        </Panel>
        <Panel title={say('Members')}>
          {lists.members.length === 0 && (
            <p className="svc-note">{say('There are no members here.')}</p>
          )}
          <ul className="svc-entries">{lists.members.map(row)}</ul>
          <CursorPager
            label={say('Pages of members')}
            first={lists.isFirst ? null : address}
            next={lists.next ? `${address}?${new URLSearchParams({ after: lists.next })}` : null}
          />
        </Panel>
        {may.manage && (
          <OrganizationActs
            key={acts}
            {...{ organization, isBusy }}
            onAct={(each) => void act(each)}
          />
        )}
      </div>
    </AccountPage>
  )
}

interface FactsProps {
  organization: Details
  now: number
  hasTrail: boolean
}

function Facts({ organization, now, hasTrail }: FactsProps) {
  const say = useConsoleSay()
  const { audit } = useConsolePlaces()
  const { organizationId, slug, createdAt, closedAt, purgeAt, ...of } = organization
  const closed = closedAt && <RelativeTime at={closedAt} now={now} />
  return (
    <Panel title={say('Overview')}>
      <dl className="svc-facts">
        <Fact name={say('State')}>
          {say(stateWords(organization))} {closed}
        </Fact>
        <Fact name={say('Deleted at')}>{purgeAt && <ExactTime at={Date.parse(purgeAt)} />}</Fact>
        <Fact name={say('Address')}>
          <code className="svc-break">{slug}</code>
        </Fact>
        <Fact name={say('Created')}>
          <RelativeTime at={createdAt} now={now} />
        </Fact>
        <Fact name={say('Members')}>{of.memberCount}</Fact>
        <Fact name={say('Owners')}>{of.ownerCount}</Fact>
        <Fact name={say('Pending invitations')}>{of.invitationCount}</Fact>
        <Fact name={say('Organization id')}>
          <code className="svc-break">{organizationId}</code>
        </Fact>
      </dl>
      {hasTrail && audit !== null && (
        <p className="svc-row svc-above-4">
          <ButtonLink href={`${audit}?target=${organizationId}`} prefetch={false}>
            {say('What happened to this organization')}
          </ButtonLink>
        </p>
      )}
    </Panel>
  )
}
