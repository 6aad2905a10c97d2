import type { ReactNode } from 'react'
import { secondOf } from '../acts/moment.ts'
import type { TrailEntry } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { useRoleWords } from '../roles/role-words.ts'
import { detailWords, wordsIn } from './act-words.ts'

/** All that an entry says. */
export function EntryDetails({ entry }: { entry: TrailEntry }) {
  const say = useOrganizationSay()
  const roleWords = useRoleWords()
  const { act, at, actor, target, details = {} } = entry

  // What an application has written may be of any shape.
  function inWords(value: unknown): string {
    if (Array.isArray(value)) return value.length > 0 ? roleWords(value.map(inWords)) : '–'
    if (typeof value !== 'object' || value === null) return say.fromApi(String(value))
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${inWords(each)}`)
      .join('; ')
  }

  return (
    <details className="svc-small svc-above-1">
      <summary className="svc-disclosure">{say('Details')}</summary>
      <dl className="svc-facts svc-above-2">
        <Fact name={say('When')}>{secondOf(say, at)}</Fact>
        <Fact name={say('Act')}>{act}</Fact>
        {actor !== undefined && <Fact name={say('By')}>{actor}</Fact>}
        {target !== undefined && <Fact name={say('To whom or what')}>{target}</Fact>}
        {Object.entries(details).map(([name, value]) => {
          const words = wordsIn(detailWords, name)
          return (
            <Fact key={name} name={words === null ? say.fromApi(name) : say(words)}>
              {inWords(value)}
            </Fact>
          )
        })}
      </dl>
    </details>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="svc-faded">{name}</dt>
      <dd className="svc-fact">{children}</dd>
    </>
  )
}
