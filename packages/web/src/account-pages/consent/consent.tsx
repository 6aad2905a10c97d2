'use client'

import { authApi } from '@svc/auth'
import { useEffect, useState } from 'react'
import { useAction } from '../../account/account.ts'
import type { DecidedFields, ConsentFacts as Facts, PageConsent } from '../../consent/consent.ts'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { StepUp } from '../step-up/step-up.tsx'
import { Button, ButtonLink, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { Fact } from '../ui/fact.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import type { Say } from '../words/say.ts'

interface Props extends EntranceSlots {
  consent: Extract<PageConsent, { state: 'asked' | 'invalid' }>
}

/** Lets an agent use the account, or does not. */
export function ConsentView({ consent, ...slots }: Props) {
  const say = useSay()
  if (consent.state === 'invalid') return <InvalidRequest {...consent} slots={slots} />
  const { facts, decides } = consent
  const title = say.nodes('Allow {clientName} to use your account?', {
    clientName: <bdi className="svc-break">{facts.clientName}</bdi>,
  })
  return (
    <StepUp>
      <Entrance title={title} notes={<Notes />} slots={slots}>
        <div className="svc-stack svc-stack-5">
          <p className="svc-paragraph">
            {say(
              'The program chose this name itself. Allow it only if you just asked for this and know where it redirects to.',
            )}
          </p>
          <ConsentFacts facts={facts} />
          <ConsentChoice decides={decides} facts={facts} />
        </div>
      </Entrance>
    </StepUp>
  )
}

function Notes() {
  const say = useSay()
  const paths = usePaths()
  return (
    <p>
      {say.nodes(
        'It never gets your password. You can disconnect it at any time under <link>Agents</link>.',
        { link: (text) => <TextLink href={paths.agents}>{text}</TextLink> },
      )}
    </p>
  )
}

interface InvalidProps extends Omit<Extract<PageConsent, { state: 'invalid' }>, 'state'> {
  slots: EntranceSlots
}

function InvalidRequest({ problem, description, slots }: InvalidProps) {
  const say = useSay()
  const paths = usePaths()
  const notes = (
    <p>{say('If this happens again, tell the people who make the program what this page says.')}</p>
  )
  return (
    <Entrance title={say('This request does not work')} notes={notes} slots={slots}>
      <div className="svc-stack">
        <p role="alert" className="svc-paragraph">
          {problem === 'refused' ? say.fromApi(description) : say(problems[problem])}
        </p>
        <p className="svc-paragraph">
          {say('Nothing was allowed. Start again in the program that sent you here.')}
        </p>
        <div className="svc-row">
          <ButtonLink href={paths.home}>{say('Go to the start page')}</ButtonLink>
        </div>
      </div>
    </Entrance>
  )
}

const problems = { expired: 'It has expired.', 'too long': 'It is too long.' } as const

/** Where the answer goes, for which account, and what the client may do then. */
function ConsentFacts({ facts }: { facts: Facts }) {
  const say = useSay()
  const { redirectHost, clientHost, account, resource, scopes } = facts
  return (
    <>
      <dl className="svc-boxed svc-facts svc-facts-wide">
        <Fact name={say('It redirects to')}>
          <Destination host={redirectHost} />
        </Fact>
        {clientHost && <Fact name={say('It is identified by')}>{clientHost}</Fact>}
        <Fact name={say('Your account')}>{account}</Fact>
        {isElsewhere(resource) && <Fact name={say('What it can use')}>{resource}</Fact>}
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

/** An app may call its scheme like another party’s host. */
function Destination({ host }: { host: string }) {
  const say = useSay()
  const code = <code>{host}</code>
  if (host.endsWith(':')) {
    return say.nodes('an app on this device, which opens {scheme}', { scheme: code })
  }
  if (loopback.test(host)) return say.nodes('a program on this device, at {host}', { host: code })
  return <strong className="svc-strong">{host}</strong>
}

interface ChoiceProps {
  decides: DecidedFields
  facts: Facts
}

/** For whom, two buttons of the same weight, and the result. */
function ConsentChoice({ decides, facts }: ChoiceProps) {
  const { account, owners } = facts
  const say = useSay()
  const isFramed = useIsFramed()
  const [owner, setOwner] = useState('')
  const { goingTo, deciding } = useConsent(decides)
  if (goingTo !== null) return <Leaving to={goingTo} />
  const isBusy = isFramed !== false || deciding.isRunning
  const decide = (decision: 'allow' | 'deny') => () => {
    if (!isBusy) void deciding.run(decision, owner)
  }
  return (
    <div className="svc-stack">
      {owners.length > 0 && (
        <OwnerChoice {...{ account, owners }} chosen={owner} onChoose={setOwner} />
      )}
      <Outcome problem={isFramed ? say(framed) : refusal(say, deciding.error)} />
      <div className="svc-even">
        <Button isBusy={isBusy} onClick={decide('allow')}>
          {say('Allow')}
        </Button>
        <Button isBusy={isBusy} onClick={decide('deny')}>
          {say('Deny')}
        </Button>
      </div>
      <noscript>
        <p className="svc-small">{say('This page needs JavaScript to finish.')}</p>
      </noscript>
    </div>
  )
}

interface OwnerChoiceProps extends Pick<Facts, 'account' | 'owners'> {
  /** The id of one, or empty for the user themselves. */
  chosen: string
  onChoose: (id: string) => void
}

function OwnerChoice({ account, owners, chosen, onChoose }: OwnerChoiceProps) {
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

const framed =
  'Another page shows this one inside it, so you can’t decide here. Open this page in a tab of its own.'

function refusal(say: Say, error: unknown) {
  if (error instanceof SessionChangedError) {
    return say(
      'Nothing was decided, because your session has changed. Reload the page, check the request and choose again.',
    )
  }
  return error ? failureWords(say, error) : ''
}

function Leaving({ to }: { to: string }) {
  const say = useSay()
  return (
    <p role="status" className="svc-paragraph">
      {say.nodes(
        'We are sending you back to the program that sent you here. If nothing happens, <link>continue yourself</link>. Then you can close this page.',
        {
          link: (text) => (
            <a href={to} className="svc-link">
              {text}
            </a>
          ),
        },
      )}
    </p>
  )
}

/** Another account has signed in since the page was rendered, or the session has another key. */
class SessionChangedError extends Error {
  override readonly name = 'SessionChangedError'
}

/**
 * Decides about the request that the page was rendered for, and then leaves for the client.
 * `goingTo` is where.
 */
function useConsent({ fields, keyId }: DecidedFields) {
  const [goingTo, setGoingTo] = useState<string | null>(null)
  const deciding = useAction(async (decision: 'allow' | 'deny', owner: string) => {
    // If another account has signed in since, it must not allow what was shown to the first one.
    const session = await authApi.getAuthSession.call()
    if (session.keyId !== keyId) throw new SessionChangedError()
    const isFor = decision === 'allow' && owner !== '' && { owner }
    const body = { ...fields, decision, ...isFor }
    const { redirectTo } = await authApi.createOAuth2AuthorizationCode.call({ body })
    setGoingTo(redirectTo)
    location.assign(redirectTo)
  })
  return { goingTo, deciding }
}

/** Whether another page shows this one in a frame, where it could lead the user’s click. Null until the script runs. */
function useIsFramed() {
  const [isFramed, setFramed] = useState<boolean | null>(null)
  useEffect(() => setFramed(window.self !== window.top), [])
  return isFramed
}
