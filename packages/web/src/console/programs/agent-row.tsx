import type { AgentItem } from '@svc/auth'
import { RelativeTime, useSay } from '../../account-pages/account-pages.ts'

/** An agent. Its name is its own choice, so where it sends users back to stands beside it. */
export function AgentRow({ agent, now }: { agent: AgentItem; now: number }) {
  const say = useSay()
  const { clientId, name, redirectHosts, createdAt, grants, hasMoreGrants } = agent
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
          ? say('Active grants: more than {count}', { count: grants })
          : say('Active grants: {count}', { count: grants })}
      </p>
      <p className="svc-note svc-above-half">
        <code className="svc-break">{clientId}</code>
      </p>
    </li>
  )
}
