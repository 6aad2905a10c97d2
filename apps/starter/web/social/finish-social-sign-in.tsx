'use client'

import { failureOfCallback, OAuthCallback } from '@svc/web/react'
import { Entrance } from '../sign-in/entrance.tsx'
import { SocialSignInFailed } from './social-sign-in-failed.tsx'

interface Props {
  /** A sign-in has been begun in this browser, and waits. */
  isWaiting: boolean
}

/** Where a provider sends the browser back to: the sign-in is finished, and goes on to where it began. */
export function FinishSocialSignIn({ isWaiting }: Props) {
  if (!isWaiting) return <SocialSignInFailed failure={failureOfCallback('expired')} />
  return (
    <OAuthCallback>
      {(progress) =>
        progress.state === 'working' ? <Working /> : <SocialSignInFailed failure={progress} />
      }
    </OAuthCallback>
  )
}

function Working() {
  return (
    <Entrance title="One moment" notes={<p>The other service sent you back.</p>}>
      <p role="status" className="flex items-center gap-3 text-sm">
        <span
          aria-hidden="true"
          className="size-4 shrink-0 rounded-full border-2 border-line border-t-accent motion-safe:animate-spin"
        />
        Signing you in…
      </p>
      <noscript>
        <p className="mt-3 text-sm">This page needs JavaScript to finish.</p>
      </noscript>
    </Entrance>
  )
}
