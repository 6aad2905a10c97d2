'use client'

import { useSay } from '../provider/account-provider.tsx'
import { RegisterNotes } from '../register/register-notes.tsx'
import { RequestSignup } from '../sign-up/request-signup.tsx'
import { SignUpWays } from '../sign-up/sign-up-ways.tsx'
import { SocialSignUp } from '../social/social-sign-up.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface Props extends EntranceSlots {
  returnTo: string
  providers: readonly string[]
}

/** Creates an account with a link by email. */
export function SignUpView({ returnTo, providers, ...slots }: Props) {
  const say = useSay()
  return (
    <Entrance
      title={say('Create an account')}
      notes={<RegisterNotes returnTo={returnTo} />}
      slots={slots}
    >
      <SocialSignUp providers={providers} returnTo={returnTo} />
      <SignUpWays way="link" returnTo={returnTo} />
      <div className="svc-above-6">
        <RequestSignup returnTo={returnTo} />
      </div>
    </Entrance>
  )
}
