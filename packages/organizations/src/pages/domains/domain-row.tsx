import {
  Button,
  ConfirmButton,
  failureWords,
  Outcome,
  RelativeTime,
  useSay,
} from '@svc/web/account'
import { OrganizationDomainUnprovedError } from '../../membership/errors.ts'
import { dayOf } from '../acts/moment.ts'
import { useAct } from '../acts/use-act.ts'
import {
  type Domain,
  type OwnOrganization,
  organizationApi,
  type Role,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { areWithin, useRoleWords } from '../roles/role-words.ts'
import { DomainRecord } from './domain-record.tsx'
import { type DomainState, stateOf, unprovedWords } from './domain-words.ts'

interface DomainRowProps {
  organization: OwnOrganization
  domain: Domain
  roles: readonly Role[]
  now: number
  /** It is being removed. */
  isBusy: boolean
  onRemove: () => void
}

const badges = {
  waiting: 'Waiting for the record',
  proved: 'Proved',
  missing: 'Record missing',
  ended: 'No longer proved',
} as const satisfies Record<DomainState, string>

/** A domain with its record, and what the user may do about it. */
export function DomainRow(given: DomainRowProps) {
  const { organization, domain, roles, now } = given
  const say = useOrganizationSay()
  const roleWords = useRoleWords(roles)
  const state = stateOf(domain, now)
  return (
    <li className="svc-listed">
      <h2 className="svc-entry-title svc-entry-title-close">
        <bdi className="svc-strong svc-break">{domain.domain}</bdi>
        <span className="svc-badge svc-badge-tiny">{say(badges[state])}</span>
      </h2>
      <p className="svc-note svc-above-1">
        {say.nodes('{roles} · added {since}', {
          roles: roleWords(domain.roles),
          since: <RelativeTime at={domain.addedAt} now={now} />,
        })}
      </p>
      <p className="svc-note svc-prose">
        <StateWords {...{ domain, state, now }} />
      </p>
      <details className="svc-small svc-above-1" open={state !== 'proved'}>
        <summary className="svc-disclosure">
          {say('DNS record')}
          <span className="svc-hidden"> {domain.domain}</span>
        </summary>
        <DomainRecord of={domain} />
      </details>
      {areWithin(organization, domain.roles, roles) && <DomainActs {...given} />}
    </li>
  )
}

interface StateWordsProps {
  domain: Domain
  state: DomainState
  now: number
}

/** Since when it is proved, or what to do until it is. */
function StateWords({
  domain: { verifiedAt, lastCheckedAt, endsAt },
  state,
  now,
}: StateWordsProps) {
  const say = useOrganizationSay()
  const checked = lastCheckedAt !== undefined && (
    <>{say.nodes('Looked up {since}.', { since: <RelativeTime at={lastCheckedAt} now={now} /> })}</>
  )
  if (state === 'waiting') {
    return say('Set this record with the company that hosts your DNS, and then check it.')
  }
  if (state === 'ended') {
    return say('The record was missing for too long. Set it again, and then check it.')
  }
  if (state === 'missing' && endsAt !== undefined) {
    return (
      <>
        {say('The proof ends on {day}, unless the record is back.', { day: dayOf(say, endsAt) })}{' '}
        {checked}
      </>
    )
  }
  return (
    verifiedAt !== undefined && (
      <>
        {say('Proved since {day}. Keep the record.', { day: dayOf(say, verifiedAt) })} {checked}
      </>
    )
  )
}

function DomainActs({ organization, domain: { domain }, isBusy, onRemove }: DomainRowProps) {
  const say = useOrganizationSay()
  const account = useSay()
  const checking = useAct({
    otherwise: (error) =>
      error instanceof OrganizationDomainUnprovedError
        ? unprovedWords(say, error)
        : failureWords(account, error),
  })
  const params = { org: organization.organizationId, domain }
  const check = () =>
    checking.run(
      () => organizationApi.verifyOrganizationDomain.call({ params }),
      say('{domain} is proved. People with an address there may join.', { domain }),
    )
  return (
    <div className="svc-stack svc-stack-2 svc-break svc-above-2">
      <Outcome problem={checking.problem} done={checking.done} />
      <div className="svc-row-actions">
        <Button isBusy={checking.isBusy} onClick={() => void check()}>
          {checking.isBusy ? say('Checking…') : say('Check now')}
          <span className="svc-hidden"> {domain}</span>
        </Button>
        <ConfirmButton
          look="danger"
          isBusy={isBusy}
          question={say(
            'Remove {domain}? No one can join by it any more. Those who have joined stay.',
            { domain },
          )}
          confirm={say('Yes, remove the domain')}
          onConfirm={onRemove}
        >
          {say('Remove the domain')}
          <span className="svc-hidden"> {domain}</span>
        </ConfirmButton>
      </div>
    </div>
  )
}
