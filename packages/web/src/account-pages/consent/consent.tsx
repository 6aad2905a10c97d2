'use client'

import { useState } from 'react'
import type { DecidedFields, ConsentFacts as Facts, PageConsent } from '../../consent/consent.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { StepUp } from '../step-up/step-up.tsx'
import { Button, ButtonLink, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { ConsentFacts, framed, OwnerChoice, useIsFramed } from './consent-parts.tsx'
import { GoingOn } from './going-on.tsx'
import { Leaving } from './leaving.tsx'
import { refusal, useConsent } from './use-consent.ts'

interface Props extends EntranceSlots {
  consent: Extract<PageConsent, { state: 'asked' | 'invalid' }>
}

/** Lets an agent use the account, or does not. */
export function ConsentView({ consent, ...slots }: Props) {
  const say = useSay()
  if (consent.state === 'invalid') return <InvalidRequest {...consent} slots={slots} />
  const { facts, decides } = consent
  if (facts.signIn?.isAllowed) return <GoingOn decides={decides} slots={slots} />
  const clientName = <bdi className="svc-break">{facts.clientName}</bdi>
  const title = facts.signIn
    ? say.nodes('Sign in to {clientName} with your account?', { clientName })
    : say.nodes('Allow {clientName} to use your account?', { clientName })
  return (
    <StepUp>
      <Entrance title={title} notes={facts.signIn ? null : <Notes />} slots={slots}>
        <div className="svc-stack svc-stack-5">
          <p className="svc-paragraph">
            {facts.signIn
              ? say(
                  'It never gets your password. Allow it only if you just started to sign in there.',
                )
              : say(
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
