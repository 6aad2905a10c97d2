import type { OAuth2GrantItem } from '@svc/auth'
import { useSay } from '../provider/account-provider.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { AgentIcon } from './agent-icon.tsx'
import { countOfAgents, placeOfAgent } from './agent-words.ts'
import type { useAgentList } from './use-agent-list.ts'

interface Props
  extends Pick<
    ReturnType<typeof useAgentList>,
    'heading' | 'isBusy' | 'disconnect' | 'outcomeOfList' | 'outcomeAt'
  > {
  grants: OAuth2GrantItem[]
  now: number
}

export function AgentList({ grants, now, heading, isBusy, disconnect, ...outcomes }: Props) {
  const say = useSay()
  return (
    <section aria-labelledby="agents" className="svc-sheet">
      <h2 id="agents" ref={heading} tabIndex={-1} className="svc-title">
        {countOfAgents(say, grants.length)}
      </h2>
      <p className="svc-note svc-prose svc-above-1">
        {grants.length > 0
          ? say('Disconnect agents that you don’t use or don’t know.')
          : say(
              'When a program asks to act for you, a page shows what it asks for. If you allow it, it appears here.',
            )}
      </p>
      <div className="svc-outcome-box">
        <Outcome {...outcomes.outcomeOfList} />
      </div>
      <ul className="svc-entries">
        {grants.map((grant) => (
          <li key={grant.grantId} className="svc-entry-box">
            <div className="svc-entry">
              <Summary grant={grant} now={now} />
              <ConfirmButton
                look="danger"
                isBusy={isBusy}
                question={say(
                  'Disconnect {clientName}? It can no longer use your account. You can allow it again later.',
                  { clientName: grant.clientName },
                )}
                confirm={say('Yes, disconnect it')}
                onConfirm={() => void disconnect(grant)}
                refusal={outcomes.outcomeAt(grant.grantId).problem}
              >
                {say('Disconnect')}
                <span className="svc-hidden"> {grant.clientName}</span>
              </ConfirmButton>
            </div>
            <div className="svc-outcome-box">
              <Outcome {...outcomes.outcomeAt(grant.grantId)} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Summary({ grant, now }: { grant: OAuth2GrantItem; now: number }) {
  const say = useSay()
  const { clientName, redirectHost, scopes, createdAtMillis, lastUsedAtMillis } = grant
  return (
    <>
      <AgentIcon />
      <div className="svc-entry-text">
        <h3 className="svc-strong svc-break">
          <bdi>{clientName}</bdi>
        </h3>
        <p className="svc-small svc-above-half svc-break">{placeOfAgent(say, redirectHost)}</p>
        <p className="svc-note svc-above-half">
          <>{say.nodes('Allowed {since}.', { since: <Since at={createdAtMillis} now={now} /> })}</>{' '}
          {lastUsedAtMillis !== undefined && (
            <>
              {say.nodes('Last used {since}.', {
                since: <Since at={lastUsedAtMillis} now={now} />,
              })}
            </>
          )}
        </p>
        <p className="svc-note svc-above-2">{say('It may:')}</p>
        <ul className="svc-bullets">
          {scopes.map(({ name, description }) => (
            <li key={name}>{description}</li>
          ))}
        </ul>
      </div>
    </>
  )
}

function Since({ at, now }: { at: number; now: number }) {
  return <RelativeTime at={new Date(at).toISOString()} now={now} />
}
