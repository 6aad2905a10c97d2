'use client'

import { usePasswordReset } from '../../account/account.ts'
import { RequestLink } from '../links/request-link.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { withReturnTo } from '../ui/sign-in-address.ts'

interface ForgotPasswordViewProps extends EntranceSlots {
  returnTo: string
}

/** Sends a link that sets a new password. */
export function ForgotPasswordView({ returnTo, ...slots }: ForgotPasswordViewProps) {
  const say = useSay()
  return (
    <Entrance
      title={say('Forgotten password')}
      notes={<ResetNotes returnTo={returnTo} />}
      slots={slots}
    >
      <RequestReset returnTo={returnTo} />
    </Entrance>
  )
}

interface RequestResetProps {
  returnTo: string
  /** If it is known already. */
  email?: string | undefined
}

/** Requests a link to set a new password. It says the same for every address. */
export function RequestReset({ returnTo, email }: RequestResetProps) {
  const say = useSay()
  return (
    <RequestLink
      request={usePasswordReset({ returnPath: returnTo })}
      email={email}
      hint={say('Enter the email of your account. We send a link there.')}
    >
      {say('You get no message if there is no account with this email.')}
    </RequestLink>
  )
}

export function ResetNotes({ returnTo }: { returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      <p>
        {say.nodes('Remember your password? <link>Sign in</link>', {
          link: (text) => <TextLink href={withReturnTo(paths.signIn, returnTo)}>{text}</TextLink>,
        })}
      </p>
      <p>
        {say.nodes(
          'You can also <link>sign in with a code</link> by email and keep your password.',
          {
            link: (text) => (
              <TextLink href={withReturnTo(`${paths.signIn}?with=code`, returnTo)}>{text}</TextLink>
            ),
          },
        )}
      </p>
      <p>
        {say(
          'A new password signs out every other device. Someone who knows the old one is signed out too.',
        )}
      </p>
    </>
  )
}
