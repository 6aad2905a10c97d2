'use client'

import type { OAuthFailure, OAuthFailureReason } from '../../oauth/oauth-failure.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { AccountSentence } from '../words/account-words.ts'
import { SignOutAndGoOn } from './sign-out-and-go-on.tsx'

interface Props {
  failure: OAuthFailure
  /** Who is signed in wanted to link an account: they go back there. */
  isSignedIn?: boolean
}

/** Why the user was not signed in, what to do about it, and the way there. */
export function SocialSignInFailed({ failure, isSignedIn = false }: Props) {
  const say = useSay()
  const { reason, message } = failure
  return (
    <Entrance title={say(titles[reason])} notes={<Notes isSignedIn={isSignedIn} />}>
      <p role="alert" className="svc-paragraph">
        {message}
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
