'use client'

import { useSocialSignIn } from '@svc/web/react'
import { useState } from 'react'
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
          <span className="flex items-center justify-center gap-2.5">
            <ProviderMark id={provider} />
            {isRunning && chosen === provider
              ? `Opening ${providerName(provider)}…`
              : `Continue with ${providerName(provider)}`}
          </span>
        </Button>
      ))}
      <Outcome problem={error ? leaveFailure(error) : ''} />
    </>
  )
}
