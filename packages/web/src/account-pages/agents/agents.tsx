'use client'

import type { OAuth2GrantItem } from '@svc/auth'
import { useRef, useState } from 'react'
import { useConnectedAgents } from '../../account/account.ts'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { TextLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loading } from '../ui/loading.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { RelativeTime, useNow } from '../ui/relative-time.tsx'
import type { Say } from '../words/say.ts'
import { AgentDescription } from './agent-description.tsx'
import { allowedBy, questionAbout } from './agent-words.ts'

interface AgentsViewProps extends PageSlots {
  renderedAt: number
}

/** The agents that may act for the user. */
export function AgentsView({ renderedAt, ...slots }: AgentsViewProps) {
  const say = useSay()
  const paths = usePaths()
  return (
    <AccountPage
      title={say('Connected agents')}
      about={say('Programs that you allowed to act for you. None of them has your password.')}
      {...slots}
    >
      <ConnectedAgents renderedAt={renderedAt} />
      <p className="svc-small svc-above-2">
        <TextLink href={paths.approvals}>{say('See what waits for your approval')}</TextLink>
      </p>
    </AccountPage>
  )
}

/** The agents with access to an account, and the actions for them. */
function ConnectedAgents({ renderedAt }: { renderedAt: number }) {
  const say = useSay()
  const now = useNow(renderedAt)
  const list = useAgentList()
  const { grants, loading } = list
  if (grants) return <AgentList {...list} {...{ grants, now }} />
  return (
    <Loading
      loading={loading}
      label={say('Loading your connected agents…')}
      problem={list.outcomeOfList.problem}
    />
  )
}

interface AgentListProps
  extends Pick<
    ReturnType<typeof useAgentList>,
    'heading' | 'isBusy' | 'disconnect' | 'outcomeOfList' | 'outcomeAt'
  > {
  grants: OAuth2GrantItem[]
  now: number
}

function AgentList({ grants, now, heading, isBusy, disconnect, ...outcomes }: AgentListProps) {
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
        {inOrder(grants).map(({ grant, through }) => (
          <li key={grant.grantId} className="svc-entry-box">
            <div className="svc-entry">
              <Summary {...{ grant, through, now }} />
              <ConfirmButton
                look="danger"
                isBusy={isBusy}
                question={questionAbout(say, grant, through)}
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

interface SummaryProps {
  grant: OAuth2GrantItem
  /** The name of the agent that it acts for, if the user has not allowed it itself. */
  through: string | undefined
  now: number
}

function Summary({ grant, through, now }: SummaryProps) {
  const say = useSay()
  const { clientName, redirectHost, issuer, scopes, createdAtMillis, lastUsedAtMillis } = grant
  return (
    <>
      <AgentIcon />
      <div className="svc-entry-text">
        <h3 className="svc-strong svc-break">
          <bdi>{clientName}</bdi>
        </h3>
        <p className="svc-small svc-above-half svc-break">{placeOfAgent(say, redirectHost)}</p>
        {through !== undefined && (
          <p className="svc-note svc-above-half svc-break">
            {say('Got access through {through}.', { through })}
          </p>
        )}
        {issuer !== undefined && (
          <p className="svc-note svc-above-half svc-break">{allowedBy(say, issuer)}</p>
        )}
        <p className="svc-note svc-above-half">
          <>
            {say.nodes('Allowed {since}.', {
              since: <RelativeTime at={createdAtMillis} now={now} />,
            })}
          </>{' '}
          {lastUsedAtMillis !== undefined && (
            <>
              {say.nodes('Last used {since}.', {
                since: <RelativeTime at={lastUsedAtMillis} now={now} />,
              })}
            </>
          )}
        </p>
        <p className="svc-note svc-above-2">{say('It may:')}</p>
        <ul className="svc-bullets">
          {scopes.map(({ name, description }) => (
            <li key={name}>{say.fromApi(description)}</li>
          ))}
        </ul>
        <AgentDescription {...{ grant, now }} />
      </div>
    </>
  )
}

/** A plug: it makes a list quick to read. */
function AgentIcon() {
  return (
    <span className="svc-tile">
      <Icon path="M9 3v5m6-5v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0ZM12 17v4" />
    </span>
  )
}

const loopback = /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/

/** Where an agent’s answers go: a host, or the scheme of an app with its colon. */
export function placeOfAgent(say: Say, redirectHost: string) {
  if (redirectHost === 'device-code:') return say('A program that showed you a code')
  if (redirectHost.endsWith(':'))
    return say('An app ({slice})', { slice: redirectHost.slice(0, -1) })
  return loopback.test(redirectHost) ? say('A program on your computer') : redirectHost
}

/** What an agent has passed on stands below it. */
export function inOrder(grants: OAuth2GrantItem[], parent?: OAuth2GrantItem): Placed[] {
  const isKnown = (id: string | undefined) => grants.some(({ grantId }) => grantId === id)
  const here = grants.filter(({ parentId }) =>
    parent ? parentId === parent.grantId : !isKnown(parentId),
  )
  return here.flatMap((grant) => [
    { grant, through: parent?.clientName },
    ...inOrder(grants, grant),
  ])
}

interface Placed {
  grant: OAuth2GrantItem
  through: string | undefined
}

export function countOfAgents(say: Say, count: number) {
  if (count === 0) return say('No connected agents')
  return count === 1 ? say('1 connected agent') : say('{count} connected agents', { count })
}

/** The agents, the actions for them, and the result of the last one. */
function useAgentList() {
  const say = useSay()
  const { grants, loading, disconnecting } = useConnectedAgents()
  const [last, setLast] = useState({ grantId: '', done: '' })
  const heading = useRef<HTMLHeadingElement>(null)

  async function disconnect({ grantId, clientName }: OAuth2GrantItem) {
    setLast({ grantId, done: '' })
    disconnecting.reset()
    if (!(await disconnecting.run(grantId))) return
    setLast({
      grantId: '',
      done: say('{clientName} is disconnected. It can no longer use your account.', { clientName }),
    })
    // The button that had the focus disappears with its agent.
    heading.current?.focus()
  }

  const inWords = (error: unknown) => (error ? failureWords(say, error) : '')
  return {
    grants,
    loading,
    heading,
    disconnect,
    isBusy: disconnecting.isRunning,
    outcomeOfList: { problem: inWords(loading.error), done: last.done },
    outcomeAt: (grantId: string) => ({
      problem: grantId === last.grantId ? inWords(disconnecting.error) : '',
    }),
  }
}
