'use client'

import { OAuthCallback } from '../../oauth/oauth-callback.ts'
import { failureOfCallback } from '../../oauth/oauth-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Entrance } from '../ui/entrance.tsx'
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
  const say = useSay()
  return (
    <Entrance title={say('One moment')} notes={<p>{say('The other service sent you back.')}</p>}>
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
