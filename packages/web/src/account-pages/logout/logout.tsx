'use client'

import type { LogoutFacts, PageLogout } from '../../logout/logout.ts'
import { Destination, framed, useIsFramed } from '../consent/consent-parts.tsx'
import { Leaving } from '../consent/leaving.tsx'
import { refusal } from '../consent/use-consent.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { Fact } from '../ui/fact.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { useLogout } from './use-logout.ts'

interface Props extends EntranceSlots {
  logout: Extract<PageLogout, { state: 'asked' | 'signed out' | 'invalid' }>
}

/** Signs the user out because an application asks for it, or does not. */
export function LogoutView({ logout, ...slots }: Props) {
  if (logout.state === 'asked') return <Question facts={logout.facts} slots={slots} />
  return <Ended logout={logout} slots={slots} />
}

function Question({ facts, slots }: { facts: LogoutFacts; slots: EntranceSlots }) {
  const say = useSay()
  const { clientName, account, redirectHost, isOther } = facts
  const name = <bdi className="svc-break">{clientName}</bdi>
  const title = clientName
    ? say.nodes('{clientName} asks to sign you out here', { clientName: name })
    : say('Sign out')
  const notes = <p>{say('Other applications that use this account may sign you out, too.')}</p>
  return (
    <Entrance title={title} notes={notes} slots={slots}>
      <div className="svc-stack svc-stack-5">
        {isOther && (
          <p role="alert" className="svc-paragraph">
            {say('The application means a different account, not the one that is signed in here.')}
          </p>
        )}
        <dl className="svc-boxed svc-facts svc-facts-wide">
          <Fact name={say('Your account')}>{account}</Fact>
          {redirectHost !== undefined && (
            <Fact name={say('It redirects to')}>
              <Destination host={redirectHost} />
            </Fact>
          )}
        </dl>
        <Choice facts={facts} />
      </div>
    </Entrance>
  )
}

/** Two buttons of the same weight, and the result. */
function Choice({ facts }: { facts: LogoutFacts }) {
  const say = useSay()
  const paths = usePaths()
  const isFramed = useIsFramed()
  const { goingTo, signingOut } = useLogout(facts)
  if (goingTo !== null) return <Leaving to={goingTo} />
  const isBusy = isFramed !== false || signingOut.isRunning
  return (
    <div className="svc-stack">
      <Outcome problem={isFramed ? say(framed) : refusal(say, signingOut.error)} />
      <div className="svc-even">
        <Button isBusy={isBusy} onClick={() => void signingOut.run()}>
          {signingOut.isRunning ? say('Signing out…') : say('Sign out')}
        </Button>
        <ButtonLink href={paths.home}>{say('Stay signed in')}</ButtonLink>
      </div>
      <noscript>
        <p className="svc-small">{say('This page needs JavaScript to finish.')}</p>
      </noscript>
    </div>
  )
}

interface EndedProps {
  logout: Extract<PageLogout, { state: 'signed out' | 'invalid' }>
  slots: EntranceSlots
}

/** Nothing is left to ask. */
function Ended({ logout, slots }: EndedProps) {
  const say = useSay()
  const paths = usePaths()
  const isInvalid = logout.state === 'invalid'
  const title = isInvalid ? say('This request does not work') : say('You are signed out')
  const notes = isInvalid ? (
    <p>{say('If this happens again, tell the people who make the program what this page says.')}</p>
  ) : null
  return (
    <Entrance title={title} notes={notes} slots={slots}>
      <div className="svc-stack">
        {isInvalid && (
          <>
            <p role="alert" className="svc-paragraph">
              {say.fromApi(logout.description)}
            </p>
            <p className="svc-paragraph">{say('Nothing was signed out.')}</p>
          </>
        )}
        <div className="svc-row">
          <ButtonLink href={paths.home}>{say('Go to the start page')}</ButtonLink>
        </div>
      </div>
    </Entrance>
  )
}
