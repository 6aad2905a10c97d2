'use client'

import { useSignupLink } from '../../account/account.ts'
import { RequestLink } from '../links/request-link.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { SocialSignUp } from '../social/social-buttons.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { RegisterNotes, SignUpWays } from './new-account.tsx'

interface SignUpViewProps extends EntranceSlots {
  returnTo: string
  providers: readonly string[]
}

/** Creates an account with a link by email. */
export function SignUpView({ returnTo, providers, ...slots }: SignUpViewProps) {
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

interface RequestSignupProps {
  returnTo: string
  /** If it is known already. */
  email?: string | undefined
}

/**
 * Asks for a link to sign up with. The page says the same if the address has an account already:
 * only the mail tells them.
 */
export function RequestSignup({ returnTo, email }: RequestSignupProps) {
  const say = useSay()
  return (
    <RequestLink
      request={useSignupLink({ returnPath: returnTo })}
      email={email}
      hint={say('We send a link to this address, to check that it is yours.')}
    >
      {say('If you already have an account, the message tells you so.')}
    </RequestLink>
  )
}
