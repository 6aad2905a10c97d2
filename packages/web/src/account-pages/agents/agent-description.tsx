import type { OAuth2GrantDescription, OAuth2GrantItem } from '@svc/auth'
import { useState } from 'react'
import { useAgentDescription } from '../../account/account.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Loading } from '../ui/loading.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import type { Say } from '../words/say.ts'

interface Props {
  grant: OAuth2GrantItem
  now: number
}

/** What an agent can do now, and what it did. It is loaded when the user opens it. */
export function AgentDescription({ grant, now }: Props) {
  const say = useSay()
  const { grantId, clientName } = grant
  const { description, describing } = useAgentDescription(grantId)
  const { run: load, error } = describing
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="svc-small svc-above-1"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        if (currentTarget.open) void load()
      }}
    >
      <summary className="svc-disclosure">
        {say('What it can do now, and what it did')}
        <span className="svc-hidden"> {clientName}</span>
      </summary>
      {isOpen && description && <Described {...description} now={now} />}
      {isOpen && !description && (
        <Loading
          loading={describing}
          label={say('Loading your connected agents…')}
          problem={error ? failureWords(say, error) : ''}
        />
      )}
    </details>
  )
}

function Described({ tools, budget, acts, now }: OAuth2GrantDescription & { now: number }) {
  const say = useSay()
  return (
    <>
      {tools.length > 0 && (
        <ul className="svc-bullets">
          {tools.map((tool) => (
            <li key={tool.name} className="svc-break">
              {toolWords(say, tool)}
            </li>
          ))}
        </ul>
      )}
      {budget.length > 0 && (
        <div className="svc-above-2">
          {budget.map((use) => (
            <p key={`${use.of} ${use.windowMillis}`} className="svc-note svc-above-half">
              {budgetWords(say, use)}
            </p>
          ))}
        </div>
      )}
      {acts.length === 0 ? (
        <p className="svc-note svc-above-2">{say('It did nothing that the audit trail has.')}</p>
      ) : (
        <ul className="svc-bullets svc-above-2">
          {acts.map(({ at, act, outcome, target }) => (
            <li key={`${at} ${act} ${target}`} className="svc-break">
              <RelativeTime at={at} now={now} /> · <code>{act}</code>
              {outcome === 'refused' && ` · ${say('refused')}`}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function toolWords(say: Say, tool: OAuth2GrantDescription['tools'][number]) {
  const { title, needs, isAllowed } = tool
  const name = say.fromApi(title)
  if (isAllowed) return name
  return say('{name} · not allowed: it needs {needs}', { name, needs: needs.join(', ') })
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How much of a window is used up: `3 of 60 requests in 1 minute`. */
export function budgetWords(say: Say, use: OAuth2GrantDescription['budget'][number]) {
  const { of, windowMillis } = use
  const [unit, millis] = units.find(([, each]) => windowMillis % each === 0) ?? ['second', 1000]
  const length = new Intl.NumberFormat(say.dateLocale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  })
  const number = new Intl.NumberFormat(say.dateLocale)
  const given = {
    used: number.format(use.used),
    limit: number.format(use.limit),
    window: length.format(windowMillis / millis),
  }
  return of === 'calls'
    ? say('{used} of {limit} requests in {window}', given)
    : say('{used} of {limit} rows in {window}', given)
}
