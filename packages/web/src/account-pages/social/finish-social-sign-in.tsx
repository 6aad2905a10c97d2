'use client'

import { useSignOut } from '../../account/account.ts'
import {
  failureOfCallback,
  OAuthCallback,
  type OAuthFailure,
  type OAuthFailureReason,
} from '../../oauth/oauth.ts'
import { Failure } from '../failures/failure.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import type { AccountSentence } from '../words/account-words.ts'

interface FinishSocialSignInProps extends EntranceSlots {
  /** A sign-in was started in this browser, and waits. */
  isWaiting: boolean
}

/**
 * The page that a provider sends the browser back to. It finishes the sign-in, and leads to where
 * it began.
 */
export function FinishSocialSignIn({ isWaiting, ...slots }: FinishSocialSignInProps) {
  if (!isWaiting) return <SocialSignInFailed {...slots} failure={failureOfCallback('expired')} />
  return (
    <OAuthCallback>
      {(progress) =>
        progress.state === 'working' ? (
          <Working slots={slots} />
        ) : (
          <SocialSignInFailed {...slots} failure={progress} />
        )
      }
    </OAuthCallback>
  )
}

function Working({ slots }: { slots: EntranceSlots }) {
  const say = useSay()
  return (
    <Entrance
      title={say('One moment')}
      notes={<p>{say('The other service sent you back.')}</p>}
      slots={slots}
    >
      <p role="status" className="svc-working">
        <span aria-hidden="true" className="svc-spinner" />
        {say('Signing you in…')}
      </p>
      <noscript>
        <p className="svc-small svc-above-3">{say('This page needs JavaScript to finish.')}</p>
      </noscript>
    </Entrance>
  )
}

interface OauthErrorProps extends EntranceSlots {
  error: string
  isSignedIn: boolean
}

/**
 * The `error` of a callback, in our own words: an attacker may have written the one in the address.
 */
export function OAuthError({ error, ...rest }: OauthErrorProps) {
  return <SocialSignInFailed {...rest} failure={failureOfCallback(error)} />
}

interface SocialSignInFailedProps extends EntranceSlots {
  failure: OAuthFailure
  /** The user is signed in and wanted to link an account, so they go back there. */
  isSignedIn?: boolean
}

/** Why the user was not signed in, what to do about it, and a link to do it. */
function SocialSignInFailed({ failure, isSignedIn = false, ...slots }: SocialSignInFailedProps) {
  const say = useSay()
  const { reason, message } = failure
  return (
    <Entrance title={say(titles[reason])} notes={<Notes isSignedIn={isSignedIn} />} slots={slots}>
      <p role="alert" className="svc-paragraph">
        {say(message)}
      </p>
      <div className="svc-row svc-above-5">
        {reason === 'signed_in' ? <SignOutAndGoOn /> : <WaysOn {...{ reason, isSignedIn }} />}
      </div>
    </Entrance>
  )
}

const titles: Record<OAuthFailureReason, AccountSentence> = {
  expired: 'This sign-in has expired',
  state_invalid: 'Started somewhere else',
  cookie_missing: 'A cookie is missing',
  provider_error: 'Not signed in',
  account_unavailable: 'This account is closed',
  email_unverified: 'You already have an account',
  another_linked: 'Another one is linked',
  registration_rejected: 'No account was created',
  already_linked: 'Already linked',
  signed_in: 'You are already signed in',
  unreachable: 'No answer',
  unknown: 'That did not work',
}

function WaysOn({ reason, isSignedIn }: { reason: OAuthFailureReason; isSignedIn: boolean }) {
  const paths = usePaths()
  const say = useSay()
  if (isSignedIn) {
    return (
      <ButtonLink look="primary" href={paths.linkedAccounts}>
        {say('Your linked accounts')}
      </ButtonLink>
    )
  }
  return (
    <>
      <ButtonLink look="primary" href={paths.signIn}>
        {inAnotherWay.has(reason) ? say('Sign in another way') : say('Sign in')}
      </ButtonLink>
      {reason === 'account_unavailable' && (
        <ButtonLink href={paths.restore}>{say('Restore a deleted account')}</ButtonLink>
      )}
    </>
  )
}

const inAnotherWay = new Set<OAuthFailureReason>([
  'account_unavailable',
  'email_unverified',
  'another_linked',
  'registration_rejected',
])

function Notes({ isSignedIn }: { isSignedIn: boolean }) {
  const say = useSay()
  return (
    <>
      <p>
        {isSignedIn
          ? say(
              'Nothing has changed: no account was linked. Your data stays with the other service.',
            )
          : say(
              'Nothing has changed: you were not signed in. Your data stays with the other service.',
            )}
      </p>
      <p>{say('If this happens again, tell the people who run this app what this page says.')}</p>
    </>
  )
}

/**
 * Another site may have sent the browser here, so the signed-in user has to confirm that they meant
 * it.
 */
function SignOutAndGoOn() {
  const paths = usePaths()
  const say = useSay()
  // The sign-in waits for some minutes, and this page finishes it.
  const { run, isRunning, error } = useSignOut({ onSignedOut: () => location.reload() })
  return (
    <>
      <ButtonLink look="primary" href={paths.home}>
        {say('Stay signed in')}
      </ButtonLink>
      <Button isBusy={isRunning} onClick={() => void run()}>
        {isRunning ? say('Signing out…') : say('Sign out and continue')}
      </Button>
      <Failure of={error} />
    </>
  )
}
