'use client'

import { useKeptFactor } from '../../account/account.ts'
import { Failure } from '../failures/failure.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface KeepFactorViewProps extends EntranceSlots {
  hasToken: boolean
}

/** Keeps a second factor that support was asked to remove, from a mailed link. */
export function KeepFactorView({ hasToken, ...slots }: KeepFactorViewProps) {
  const say = useSay()
  return (
    <Entrance title={say('Keep your second step')} notes={<KeepNotes />} slots={slots}>
      <KeepFactor hasToken={hasToken} />
    </Entrance>
  )
}

function KeepFactor({ hasToken }: { hasToken: boolean }) {
  const say = useSay()
  const { stage, keeping } = useKeptFactor({ hasToken })
  return (
    <FocusOnChange of={stage}>
      {stage === 'offered' && (
        <div className="svc-stack svc-paragraph">
          <h2 tabIndex={-1} className="svc-title">
            {say('Was this not you?')}
          </h2>
          <p>
            {say(
              'Support was asked to remove a second step of your sign-in. You can keep it. If you asked for it, close this page.',
            )}
          </p>
          <Failure of={keeping.error} />
          <Button look="primary" isBusy={keeping.isRunning} onClick={() => void keeping.run()}>
            {keeping.isRunning ? say('Keeping it…') : say('Keep it')}
          </Button>
        </div>
      )}
      {stage === 'kept' && <Kept />}
      {stage === 'over' && <KeepingOver />}
    </FocusOnChange>
  )
}

function KeepNotes() {
  const say = useSay()
  return <p>{say('Opening the link changes nothing, because mail programs open links too.')}</p>
}

function Kept() {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('Your second step stays')}
      </h2>
      <p>
        {say.nodes(
          'Someone else asked in your name, and may know your password. Set <link>a new password</link>.',
          { link: (text) => <TextLink href={paths.forgotPassword}>{text}</TextLink> },
        )}
      </p>
    </div>
  )
}

/** Says the same of a link that was used, comes too late, or never was. */
function KeepingOver() {
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('This link does not work')}
      </h2>
      <p>
        {say(
          'It was used, has expired, or is incomplete. Under Security you see whether you have a second step.',
        )}
      </p>
    </div>
  )
}
