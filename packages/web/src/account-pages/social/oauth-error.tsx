'use client'

import { failureOfCallback } from '../../oauth/oauth-failure.ts'
import { SocialSignInFailed } from './social-sign-in-failed.tsx'

/** The `error` that a callback has put into the address, in our own words: it may be anybody’s text. */
export function OAuthError({ error, isSignedIn }: { error: string; isSignedIn: boolean }) {
  return <SocialSignInFailed failure={failureOfCallback(error)} isSignedIn={isSignedIn} />
}
