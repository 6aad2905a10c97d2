'use client'

import { type ReactNode, useEffect, useState } from 'react'
import type { ConsentFacts as Facts } from '../../consent/consent.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Fact } from '../ui/fact.tsx'

interface ConsentFactsProps {
  /** A program that shows a code redirects to no host. */
  facts: Omit<Facts, 'redirectHost' | 'clientName' | 'owners'> & { redirectHost?: string }
  /** What else there is to know. */
  children?: ReactNode
}

/** Where the answer goes, for which account, and what the client may do then. */
export function ConsentFacts({ facts, children }: ConsentFactsProps) {
  const say = useSay()
  const { redirectHost, clientHost, account, resource, scopes } = facts
  return (
    <>
      <dl className="svc-boxed svc-facts svc-facts-wide">
        {redirectHost !== undefined && (
          <Fact name={say('It redirects to')}>
            <Destination host={redirectHost} />
          </Fact>
        )}
        {clientHost && <Fact name={say('It is identified by')}>{clientHost}</Fact>}
        <Fact name={say('Your account')}>{account}</Fact>
        {isElsewhere(resource) && <Fact name={say('What it can use')}>{resource}</Fact>}
        {children}
      </dl>
      <section aria-labelledby="svc-consent-scopes" className="svc-stack svc-stack-2">
        <h2 id="svc-consent-scopes" className="svc-title">
          {say('It will be able to')}
        </h2>
        <ul className="svc-bullets">
          {scopes.map(({ name, description }) => (
            <li key={name}>{say.fromApi(description)}</li>
          ))}
        </ul>
      </section>
    </>
  )
}

/** Every user knows which application this page is of. */
const isElsewhere = (resource: string) => !resource.startsWith('/')

const loopback = /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/

/** Where an answer goes. An app may call its scheme like another party’s host. */
export function Destination({ host }: { host: string }) {
  const say = useSay()
  const code = <code>{host}</code>
  if (host.endsWith(':')) {
    return say.nodes('an app on this device, which opens {scheme}', { scheme: code })
  }
  if (loopback.test(host)) return say.nodes('a program on this device, at {host}', { host: code })
  return <strong className="svc-strong">{host}</strong>
}

interface OwnerChoiceProps extends Pick<Facts, 'account' | 'owners'> {
  /** The id of one, or empty for the user themselves. */
  chosen: string
  onChoose: (id: string) => void
}

/** For whom the user allows it. */
export function OwnerChoice({ account, owners, chosen, onChoose }: OwnerChoiceProps) {
  const say = useSay()
  const all = [{ id: '', name: account }, ...owners]
  return (
    <fieldset className="svc-shrink">
      <legend className="svc-strong">{say('Connect it for')}</legend>
      <div className="svc-stack svc-stack-2 svc-above-1">
        {all.map(({ id, name }) => (
          <label key={id} className="svc-choice">
            <input
              type="radio"
              name="owner"
              value={id}
              checked={chosen === id}
              onChange={() => onChoose(id)}
              className="svc-check"
            />
            <bdi className="svc-break">{name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export const framed =
  'Another page shows this one inside it, so you can’t decide here. Open this page in a tab of its own.'

/** Whether another page shows this one in a frame, where it could lead the user’s click. Null until the script runs. */
export function useIsFramed() {
  const [isFramed, setFramed] = useState<boolean | null>(null)
  useEffect(() => setFramed(window.self !== window.top), [])
  return isFramed
}
