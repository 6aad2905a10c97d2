'use client'

import type { OAuthFailure, OAuthFailureReason } from '@svc/web/react'
import { Entrance } from '../sign-in/entrance.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { SignOutAndGoOn } from './sign-out-and-go-on.tsx'

interface Props {
  failure: OAuthFailure
  /** Who is signed in wanted to link an account: they go back there. */
  isSignedIn?: boolean
}

/** Why the user was not signed in, what to do about it, and the way there. */
export function SocialSignInFailed({ failure, isSignedIn = false }: Props) {
  const { reason, message } = failure
  return (
    <Entrance title={titles[reason]} notes={<Notes isSignedIn={isSignedIn} />}>
      <p role="alert" className="text-sm leading-relaxed">
        {message}
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        {reason === 'signed_in' ? <SignOutAndGoOn /> : <WaysOn {...{ reason, isSignedIn }} />}
      </div>
    </Entrance>
  )
}

const titles: Record<OAuthFailureReason, string> = {
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
  if (isSignedIn) {
    return (
      <ButtonLink look="primary" href="/account/security/linked">
        Your linked accounts
      </ButtonLink>
    )
  }
  return (
    <>
      <ButtonLink look="primary" href="/login">
        {inAnotherWay.has(reason) ? 'Sign in another way' : 'Sign in'}
      </ButtonLink>
      {reason === 'account_unavailable' && (
        <ButtonLink href="/restore">Restore a deleted account</ButtonLink>
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
  return (
    <>
      <p>
        Nothing has changed: {isSignedIn ? 'no account was linked' : 'you were not signed in'}. Your
        data stays with the other service.
      </p>
      <p>If this happens again, tell the people who run this app what this page says.</p>
    </>
  )
}
