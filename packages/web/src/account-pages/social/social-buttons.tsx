'use client'

import { useState } from 'react'
import { useSocialSignIn } from '../../oauth/oauth.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Or } from '../ui/entrance.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { leaveFailure } from './leave-failure.ts'
import { ProviderMark, providerName } from './provider-mark.tsx'

interface SocialButtonsProps {
  /** Their ids. */
  providers: readonly string[]
  returnTo: string
}

/** Signing in, or up: for a provider both are the same. */
export function SocialButtons({ providers, returnTo }: SocialButtonsProps) {
  const say = useSay()
  const { run, isRunning, error } = useSocialSignIn({ returnUrl: returnTo })
  const [chosen, setChosen] = useState('')

  function leave(provider: string) {
    setChosen(provider)
    void run(provider)
  }

  return (
    <>
      {providers.map((provider) => (
        <Button key={provider} isBusy={isRunning} onClick={() => leave(provider)}>
          <span className="svc-choice svc-choice-middle">
            <ProviderMark id={provider} />
            {isRunning && chosen === provider
              ? say('Opening {provider}…', { provider: providerName(provider) })
              : say('Continue with {provider}', { provider: providerName(provider) })}
          </span>
        </Button>
      ))}
      <Outcome problem={error ? leaveFailure(say, error) : ''} />
    </>
  )
}

interface SocialSignUpProps {
  /** The ids of the providers that browsers can sign in with. */
  providers: readonly string[]
  returnTo: string
}

/** Above the ways to prove an address: a user of a provider needs none of them. */
export function SocialSignUp({ providers, returnTo }: SocialSignUpProps) {
  if (providers.length === 0) return null
  return (
    <div className="svc-stack svc-stack-3 svc-below-5">
      <SocialButtons providers={providers} returnTo={returnTo} />
      <Or />
    </div>
  )
}
