'use client'

import { useRouter } from 'next/navigation.js'
import { type Action, type ContactChange, useContactUndo } from '../../account/account.ts'
import { Failure } from '../failures/failure.tsx'
import { OpenLink } from '../links/open-link.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import type { Say } from '../words/say.ts'

interface UndoChangeViewProps extends EntranceSlots {
  hasToken: boolean
}

/** Undoes a change of the email, from a mailed link. */
export function UndoChangeView({ hasToken, ...slots }: UndoChangeViewProps) {
  const say = useSay()
  return (
    <Entrance title={say('Undo a change')} notes={<UndoNotes />} slots={slots}>
      <UndoChange hasToken={hasToken} />
    </Entrance>
  )
}

/** The page of the notice that is mailed to an old address. */
function UndoChange({ hasToken }: { hasToken: boolean }) {
  const say = useSay()
  const router = useRouter()
  const undo = useContactUndo({
    hasToken,
    // The session here has ended.
    onUndone: () => router.refresh(),
  })
  const { stage, change } = undo
  return (
    <FocusOnChange of={stage}>
      {stage === 'unopened' && (
        <OpenLink
          opening={undo.opening}
          label={say('Try again')}
          busyLabel={say('Checking the link…')}
        >
          {say('You opened the link in our message. Nothing has changed yet.')}
        </OpenLink>
      )}
      {stage === 'opened' && change && <OfferUndo change={change} undoing={undo.undoing} />}
      {stage === 'undone' && change && (
        <Undone change={change} revokedCount={undo.revokedCount ?? 0} />
      )}
      {stage === 'over' && <UndoOver />}
    </FocusOnChange>
  )
}

interface OfferUndoProps {
  change: ContactChange
  undoing: Action<[], unknown>
}

/** What the link would restore, and the button that does it. */
function OfferUndo({ change, undoing }: OfferUndoProps) {
  const say = useSay()
  const { kind, restores, expiresAt } = change
  const words = kind === 'email' ? ofEmail : ofPhone
  return (
    <div className="svc-stack svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('Was this not you?')}
      </h2>
      <p>
        {say.nodes(words.about, {
          restores: <strong className="svc-strong svc-break">{restores}</strong>,
          expiresAt: new Intl.DateTimeFormat(say.dateLocale, {
            dateStyle: 'long',
            timeStyle: 'short',
          }).format(expiresAt),
        })}
      </p>
      <p className="svc-faded">{say(words.effect)}</p>
      <Failure of={undoing.error} />
      <Button look="primary" isBusy={undoing.isRunning} onClick={() => void undoing.run()}>
        {undoing.isRunning ? say('Restoring it…') : say(words.restore)}
      </Button>
    </div>
  )
}

const ofEmail = {
  about:
    'The email of your account was changed. You can change it back to {restores} until {expiresAt}.',
  effect:
    'This signs out every device and removes the password, because the person who changed the email knew it. If you made the change, close this page.',
  restore: 'Restore the email',
} as const

const ofPhone = {
  about:
    'The phone number of your account was changed. You can change it back to {restores} until {expiresAt}.',
  effect:
    'This signs out every device and removes the password, because the person who changed the phone number knew it. If you made the change, close this page.',
  restore: 'Restore the phone number',
} as const

function UndoNotes() {
  const say = useSay()
  return (
    <>
      <p>
        {say(
          'When the email or phone number of an account changes, we send this link to the old one. It works once, within 72 hours.',
        )}
      </p>
      <p>{say('Opening the link changes nothing, because mail programs open links too.')}</p>
    </>
  )
}

/** Says the same of a link that was used, has expired, or never was. */
function UndoOver() {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('This link does not work')}
      </h2>
      <p>
        {say.nodes(
          'It was used, has expired, or is incomplete. If the account is still yours, set <link>a new password</link>. That signs out every other device.',
          { link: (text) => <TextLink href={paths.forgotPassword}>{text}</TextLink> },
        )}
      </p>
    </div>
  )
}

interface UndoneProps {
  change: ContactChange
  revokedCount: number
}

function Undone({ change: { kind, restores }, revokedCount }: UndoneProps) {
  const paths = usePaths()
  const say = useSay()
  const title = kind === 'email' ? 'Your email is restored' : 'Your phone number is restored'
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say(title)}
      </h2>
      <p>
        {say.nodes('It is {restores} again. {signedOut}', {
          restores: <strong className="svc-strong svc-break">{restores}</strong>,
          signedOut: signedOut(say, revokedCount),
        })}
      </p>
      <p>
        {say.nodes(
          'The old password was removed too. <link>Get a link by email</link> to set a new one.',
          { link: (text) => <TextLink href={paths.forgotPassword}>{text}</TextLink> },
        )}
      </p>
    </div>
  )
}

function signedOut(say: Say, count: number) {
  if (count === 0) return say('No device was signed in.')
  return count === 1
    ? say('One device is signed out.')
    : say('All {count} devices are signed out.', { count })
}
