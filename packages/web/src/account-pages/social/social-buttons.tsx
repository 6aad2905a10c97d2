'use client'

import { useState } from 'react'
import { useSocialSignIn } from '../../oauth/use-social-sign-in.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { ProviderMark } from './provider-mark.tsx'
import { providerName } from './provider-name.ts'
import { leaveFailure } from './social-failure.ts'

interface Props {
  /** Their ids. */
  providers: readonly string[]
  returnTo: string
}

/** Signing in, or up: for a provider both are the same. */
export function SocialButtons({ providers, returnTo }: Props) {
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
