import type { ReactNode } from 'react'
import type { Action, useCompleteSignup } from '../../account/account.ts'
import { Failure } from '../failures/failure.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import type { Say } from '../words/say.ts'

interface OpenLinkProps {
  opening: Action<[], unknown>
  /** The texts on the button: before, and while the link is checked. */
  label: string
  busyLabel: string
  /** The purpose of the link. */
  children: ReactNode
}

/** A mailed link does nothing by itself: mail programs open links too. This button spends it. */
export function OpenLink({ opening, label, busyLabel, children }: OpenLinkProps) {
  return (
    <div className="svc-stack">
      <p className="svc-paragraph">{children}</p>
      <Failure of={opening.error} />
      <Button look="primary" isBusy={opening.isRunning} onClick={() => void opening.run()}>
        {opening.isRunning ? busyLabel : label}
      </Button>
    </div>
  )
}

interface LinkOverProps {
  /** There was a link, which is no longer valid. */
  hadLink: boolean
  /** The address that the page was for, if the link was opened here and has ended since. */
  email?: string | undefined
  /** How to request another one. */
  children: ReactNode
}

/** Says that there is no valid link, with ways to go on beneath. */
function LinkOver({ hadLink, email, children }: LinkOverProps) {
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-5">
      <div>
        <h2 tabIndex={-1} className="svc-title">
          {titleOf(say, { hadLink, email })}
        </h2>
        <p className="svc-paragraph svc-above-2">
          {email === undefined ? reasonOf(say, hadLink) : <Superseded email={email} />}
        </p>
      </div>
      {children}
    </div>
  )
}

function titleOf(say: Say, { hadLink, email }: Pick<LinkOverProps, 'hadLink' | 'email'>) {
  if (email !== undefined) return say('Open the newest mail')
  return hadLink ? say('This link no longer works') : say('This page needs a link')
}

function reasonOf(say: Say, hadLink: boolean) {
  return hadLink
    ? say('It was used or has expired, or we sent a newer one. Request another link:')
    : say('Open the link in your mail, or request another one:')
}

/** Anyone can ask for a link to an address, and only the newest one works. */
function Superseded({ email }: { email: string }) {
  const say = useSay()
  return (
    <>
      {say.nodes(
        'We sent a newer link to {email}, or your time to set a password has run out. Open the newest mail, or request another link:',
        { email: <strong className="svc-strong svc-break">{email}</strong> },
      )}
    </>
  )
}

interface PasswordSetupProps {
  /** What `useCompleteSignup` or `useCompletePasswordReset` returns. */
  setup: ReturnType<typeof useCompleteSignup>
  /** The purpose of the link. */
  about: string
  /** The page to ask for another link, with the address if it is known. */
  request: (email?: string) => ReactNode
  /** The form for what the link has opened. */
  children: (email: string) => ReactNode
}

/** The page of a mailed link: a button, then a password; or how to get another link. */
export function PasswordSetup({ setup, about, request, children }: PasswordSetupProps) {
  const say = useSay()
  const { stage, opened, opening, completing } = setup
  const wasRefused = opening.error !== null || completing.error !== null
  return (
    <FocusOnChange of={stage}>
      {stage === 'unopened' && (
        <OpenLink opening={opening} label={say('Continue')} busyLabel={say('Checking the link…')}>
          {about}
        </OpenLink>
      )}
      {stage === 'opened' && opened && children(opened.email)}
      {stage === 'over' && (
        <LinkOver hadLink={wasRefused} email={opened?.email}>
          {request(opened?.email)}
        </LinkOver>
      )}
    </FocusOnChange>
  )
}
