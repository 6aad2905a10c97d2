import type { AgentItem } from '@svc/auth'
import { ConfirmButton, RelativeTime, useSay } from '../../account-pages/account-pages.ts'
import { PersonLabel } from '../person-label.tsx'

type AgentGrant = AgentItem['someGrants'][number]

interface Props {
  agent: AgentItem
  now: number
  mayEnd: (grant: AgentGrant) => boolean
  isBusy: boolean
  onEnd: (grant: AgentGrant) => void
}

/** An agent. Its name is its own choice, so where it sends users back to stands beside it. */
export function AgentRow({ agent, now, ...grants }: Props) {
  const say = useSay()
  const { clientId, name, redirectHosts, createdAt, grants: count, hasMoreGrants } = agent
  return (
    <li className="svc-entry-box">
      <h3 className="svc-entry-title">
        <bdi>{name}</bdi>
      </h3>
      <p className="svc-small svc-above-half svc-break">{redirectHosts.join(', ')}</p>
      <p className="svc-note svc-above-half">
        {say.nodes('Known since {since}', { since: <RelativeTime at={createdAt} now={now} /> })}
        {' · '}
        {hasMoreGrants
          ? say('Active grants: more than {count}', { count })
          : say('Active grants: {count}', { count })}
      </p>
      <p className="svc-note svc-above-half">
        <code className="svc-break">{clientId}</code>
      </p>
      {agent.someGrants.length > 0 && <Grants {...{ agent, now, ...grants }} />}
    </li>
  )
}

function Grants({ agent, now, mayEnd, isBusy, onEnd }: Props) {
  const say = useSay()
  const { name, grants, someGrants } = agent
  return (
    <details className="svc-small svc-above-1">
      <summary className="svc-disclosure">
        {say('Accounts that have given it access')}
        <span className="svc-hidden"> {name}</span>
      </summary>
      {grants > someGrants.length && (
        <p className="svc-note">
          {say('The newest {count} are shown.', { count: someGrants.length })}
        </p>
      )}
      <ul className="svc-entries">
        {someGrants.map((grant) => (
          <li key={grant.grantId} className="svc-entry-box">
            <div className="svc-entry svc-entry-apart">
              <div className="svc-entry-text">
                <PersonLabel id={grant.owner.userId} account={grant.owner} />
                <p className="svc-note">
                  {say.nodes('Last used {since}', {
                    since: <RelativeTime at={grant.lastUsedAt ?? grant.createdAt} now={now} />,
                  })}
                </p>
              </div>
              {mayEnd(grant) && (
                <EndGrant {...{ name, isBusy }} grant={grant} onEnd={() => onEnd(grant)} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface EndProps {
  /** Of the agent. */
  name: string
  grant: AgentGrant
  isBusy: boolean
  onEnd: () => void
}

function EndGrant({ name, grant, isBusy, onEnd }: EndProps) {
  const say = useSay()
  const user = grant.owner.name ?? grant.owner.userId
  return (
    <ConfirmButton
      isBusy={isBusy}
      question={say('End the access of {agent} to the account of {user}?', { agent: name, user })}
      confirm={say('Yes, end it')}
      onConfirm={onEnd}
    >
      {say('End')}
      <span className="svc-hidden">
        {' '}
        {name} {user}
      </span>
    </ConfirmButton>
  )
}
