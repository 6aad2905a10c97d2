import { NotFoundError } from '@svc/core/client'
import { useState } from 'react'
import type { AgentRequest, useAgentRequest } from '../../account/account.ts'
import { ConsentFacts, framed, OwnerChoice, useIsFramed } from '../consent/consent-parts.tsx'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, QuietButton, TextLink } from '../ui/button.tsx'
import { Fact } from '../ui/fact.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { Say } from '../words/say.ts'
import { TimeLeft } from './device-facts.tsx'

interface AskedProps {
  request: AgentRequest
  /** The user who is signed in here. */
  as: string
  error: unknown
  isBusy: boolean
  onAllow: (owner: string) => void
  onDeny: () => void
  onStartOver: () => void
}

/**
 * Shows what a program asks for, and asks whether it may have it. An attacker can send a code of their own program
 * (RFC 8628, section 5.4), so the page says first which program to allow.
 */
export function AgentAsks({ request, as, error, isBusy, ...on }: AskedProps) {
  const say = useSay()
  const isFramed = useIsFramed()
  const [owner, setOwner] = useState('')
  const { userCode, clientName, clientId, resource, scopes, owners, expiresAtMillis } = request
  const clientHost = URL.parse(clientId)?.host
  const facts = { account: as, resource, scopes, ...(clientHost && { clientHost }) }
  const cannotDecide = isBusy || isFramed !== false
  return (
    <div className="svc-stack svc-stack-5">
      <h2 tabIndex={-1} className="svc-title">
        {say.nodes('Allow {clientName} to use your account?', {
          clientName: <bdi className="svc-break">{clientName}</bdi>,
        })}
      </h2>
      <p className="svc-boxed">
        {say.nodes(
          '<strong>Allow only a program that you started yourself, just now.</strong> It must show the same code. If someone sent you this code or a link, deny the request.',
          { strong: (text) => <strong className="svc-strong">{text}</strong> },
        )}
      </p>
      <p className="svc-paragraph">{say('The program chose this name itself.')}</p>
      <ConsentFacts facts={facts}>
        <Fact name={say('Code')}>
          <code>{userCode}</code>
        </Fact>
        <Fact name={say('Expires in')}>
          <TimeLeft until={expiresAtMillis} />
        </Fact>
      </ConsentFacts>
      {owners.length > 0 && (
        <OwnerChoice account={as} owners={owners} chosen={owner} onChoose={setOwner} />
      )}
      <Outcome problem={isFramed ? say(framed) : agentFailure(say, error)} />
      <div className="svc-even">
        <Button isBusy={cannotDecide} onClick={() => on.onAllow(owner)}>
          {say('Allow')}
        </Button>
        <Button isBusy={cannotDecide} onClick={on.onDeny}>
          {say('Deny')}
        </Button>
      </div>
      <p className="svc-small">
        <QuietButton onClick={on.onStartOver}>{say('Enter another code')}</QuietButton>
      </p>
    </div>
  )
}

/** What a person can do about a request that was not decided. */
export function agentFailure(say: Say, error: unknown) {
  if (error instanceof NotFoundError) {
    return say('This code was used or has expired. Start again in the program.')
  }
  return error ? failureWords(say, error) : ''
}

interface DecidedProps {
  request: AgentRequest
  decision: NonNullable<ReturnType<typeof useAgentRequest>['decision']>
  onStartOver: () => void
}

/** What was decided. The page can't lead back to the program: it is on another screen. */
export function AgentDecided({ request, decision, onStartOver }: DecidedProps) {
  const say = useSay()
  const paths = usePaths()
  return (
    <div className="svc-stack">
      <div role="status">
        <h2 tabIndex={-1} className="svc-title">
          {decision === 'allowed' ? say('Approved') : say('Denied')}
        </h2>
        <p className="svc-small svc-above-2">
          <bdi className="svc-break">{request.clientName}</bdi>
        </p>
        <p className="svc-paragraph svc-above-2">{say(words[decision])}</p>
      </div>
      {decision === 'allowed' && (
        <p className="svc-small">
          <TextLink href={paths.agents}>{say('Connected agents')}</TextLink>
        </p>
      )}
      <p className="svc-small">
        <QuietButton onClick={onStartOver}>{say('Enter another code')}</QuietButton>
      </p>
    </div>
  )
}

const words = {
  allowed: 'Go back to the program.',
  denied: 'Refused. The program has done nothing.',
} as const
