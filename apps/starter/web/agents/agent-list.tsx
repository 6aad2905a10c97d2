import type { OAuth2GrantItem } from '@svc/auth'
import { RelativeTime } from '../board/relative-time.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
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
  return (
    <section aria-labelledby="agents" className="rounded-xl border border-line bg-sheet p-5 sm:p-6">
      <h2 id="agents" ref={heading} tabIndex={-1} className="font-medium text-lg outline-none">
        {countOfAgents(grants.length)}
      </h2>
      <p className="mt-1 max-w-prose text-faded text-sm">
        {grants.length > 0
          ? 'Disconnect agents that you don’t use or don’t know.'
          : 'When a program asks to act for you, a page shows what it asks for. If you allow it, it appears here.'}
      </p>
      <div className="has-[p:not(:empty)]:mt-3">
        <Outcome {...outcomes.outcomeOfList} />
      </div>
      <ul className="divide-y divide-line">
        {grants.map((grant) => (
          <li key={grant.grantId} className="py-5 last:pb-0">
            <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
              <Summary grant={grant} now={now} />
              <ConfirmButton
                look="danger"
                isBusy={isBusy}
                question={`Disconnect ${grant.clientName}? It can no longer use your account. You can allow it again later.`}
                confirm="Yes, disconnect it"
                onConfirm={() => void disconnect(grant)}
                refusal={outcomes.outcomeAt(grant.grantId).problem}
              >
                Disconnect<span className="sr-only"> {grant.clientName}</span>
              </ConfirmButton>
            </div>
            <div className="has-[p:not(:empty)]:mt-3">
              <Outcome {...outcomes.outcomeAt(grant.grantId)} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Summary({ grant, now }: { grant: OAuth2GrantItem; now: number }) {
  const { clientName, redirectHost, scopes, createdAtMillis, lastUsedAtMillis } = grant
  return (
    <>
      <AgentIcon />
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="font-medium [overflow-wrap:anywhere]">
          <bdi>{clientName}</bdi>
        </h3>
        <p className="mt-0.5 text-sm [overflow-wrap:anywhere]">{placeOfAgent(redirectHost)}</p>
        <p className="mt-0.5 text-faded text-sm">
          Allowed <Since at={createdAtMillis} now={now} />.{' '}
          {lastUsedAtMillis !== undefined && (
            <>
              Last used <Since at={lastUsedAtMillis} now={now} />.
            </>
          )}
        </p>
        <p className="mt-2 text-faded text-sm">It may:</p>
        <ul className="list-disc pl-5 text-sm marker:text-faded">
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
