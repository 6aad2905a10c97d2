'use client'

import { DeviceAuthDeniedError, DeviceAuthExpiredError, DeviceAuthNotFoundError } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { type Action, type LinkCode, useDeviceLink } from '../../account/account.ts'
import { failureWords } from '../failures/failure-words.ts'
import { refusedAccount } from '../failures/sign-in-failure.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { useArrival } from '../ui/arrival-notice.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { withReturnTo } from '../ui/sign-in-address.ts'
import type { Say } from '../words/say.ts'
import { TimeLeft } from './device-facts.tsx'

interface LinkDeviceViewProps extends EntranceSlots {
  returnTo: string
}

/** Shows a code that the user approves on another device. */
export function LinkDeviceView({ returnTo, ...slots }: LinkDeviceViewProps) {
  const say = useSay()
  return (
    <Entrance
      title={say('Sign in with another device')}
      notes={<LinkNotes returnTo={returnTo} />}
      slots={slots}
    >
      <LinkDevice returnTo={returnTo} />
    </Entrance>
  )
}

/** Waits until a signed-in device approves this one. */
function LinkDevice({ returnTo }: { returnTo: string }) {
  const say = useSay()
  const arrive = useArrival()
  const { code, starting, ending } = useDeviceLink({ onApproved: () => arrive(returnTo) })
  const problem = ending ?? starting.error
  return (
    <FocusOnChange of={problem ? 'problem' : 'code'}>
      {problem ? (
        <LinkEnded {...linkEnding(say, problem)} starting={starting} />
      ) : code ? (
        <ShownCode code={code} />
      ) : (
        <p role="status" className="svc-note">
          {say('Loading your code…')}
        </p>
      )}
    </FocusOnChange>
  )
}

/** The code, where to type it in, and what the approver compares. */
function ShownCode({ code }: { code: LinkCode }) {
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-5">
      <p className="svc-paragraph">
        {say.nodes(
          'On a device where you are signed in, open <strong>{host}/device</strong> and enter:',
          {
            host: location.host,
            strong: (text) => <strong className="svc-strong svc-break">{text}</strong>,
          },
        )}
      </p>
      <p tabIndex={-1} className="svc-code">
        {code.userCode}
      </p>
      <dl className="svc-facts svc-small">
        <dt className="svc-faded">{say('Expires in')}</dt>
        <dd>
          <TimeLeft until={code.expiresAtMillis} />
        </dd>
        <dt className="svc-faded">{say('This browser’s key')}</dt>
        <dd>
          <code>{code.fingerprintPrefix}</code>
        </dd>
      </dl>
      <p role="status" className="svc-note svc-paragraph">
        {say('Waiting for your approval. Check that the other device shows the same key.')}
      </p>
    </div>
  )
}

interface LinkEndedProps {
  title: string
  advice: string
  starting: Action<[], unknown>
}

/** Says why the page stopped waiting, and starts over. */
function LinkEnded({ title, advice, starting }: LinkEndedProps) {
  const say = useSay()
  return (
    <div className="svc-stack">
      <div role="alert">
        <h2 tabIndex={-1} className="svc-title">
          {title}
        </h2>
        <p className="svc-paragraph svc-above-2">{advice}</p>
      </div>
      <Button look="primary" isBusy={starting.isRunning} onClick={() => void starting.run()}>
        {starting.isRunning ? say('Loading…') : say('Show a new code')}
      </Button>
    </div>
  )
}

/** Why a browser no longer waits for an approval. */
export function linkEnding(say: Say, error: unknown) {
  if (error instanceof DeviceAuthDeniedError) {
    return {
      title: say('The sign-in was denied'),
      advice: say('On the other device, someone chose “Deny” or signed out everywhere.'),
    }
  }
  if (over.some((type) => error instanceof type)) {
    return {
      title: say('This code no longer works'),
      advice: say('It is too old, or another tab of this browser shows a newer code.'),
    }
  }
  return {
    title: say('You could not be signed in'),
    advice: refusedAccount(say, error) ?? failureWords(say, error),
  }
}

// The browser drops its cookie when the code expires, which may happen first.
const over = [DeviceAuthExpiredError, DeviceAuthNotFoundError, UnauthorizedError]

function LinkNotes({ returnTo }: { returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      <p>
        {say.nodes('Do you know your password? <link>Sign in</link>', {
          link: (text) => <TextLink href={withReturnTo(paths.signIn, returnTo)}>{text}</TextLink>,
        })}
      </p>
      <p>
        {say(
          'You type no password on this device. Use this when the device has no keyboard, or when others can see what you type.',
        )}
      </p>
      <p>
        {say(
          'Don’t share the code. A person who approves it signs this browser in to their own account.',
        )}
      </p>
    </>
  )
}
