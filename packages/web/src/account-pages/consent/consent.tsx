'use client'

import { authApi } from '@svc/auth'
import { useState } from 'react'
import { useAction } from '../../account/account.ts'
import type { DecidedFields, ConsentFacts as Facts, PageConsent } from '../../consent/consent.ts'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { StepUp } from '../step-up/step-up.tsx'
import { Button, ButtonLink, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import type { Say } from '../words/say.ts'
import { ConsentFacts, framed, OwnerChoice, useIsFramed } from './consent-parts.tsx'

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
