import { type ReactNode, useState } from 'react'
import type { useSignupLink } from '../../account/use-signup-link.ts'
import { AskForEmail } from '../codes/ask-for-email.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { LinkSent } from './link-sent.tsx'

interface Props {
  /** What `useSignupLink` or `usePasswordReset` answers. */
  request: ReturnType<typeof useSignupLink>
  /** The initial value of the field. */
  email?: string | undefined
  /** Beneath the field. */
  hint: string
  /** Said once the link is on its way. */
  children?: ReactNode
}

/** Asks for an address, and says then that a link is on its way there. */
export function RequestLink({ request, email: initial = '', hint, children }: Props) {
  const say = useSay()
  const { sent, sending, startOver } = request
  const [email, onEmail] = useState(initial)
  return (
    <FocusOnChange of={sent ? 'sent' : 'email'}>
      {sent ? (
        <LinkSent {...{ sent, sending, children }} onStartOver={startOver} />
      ) : (
        <AskForEmail {...{ email, onEmail, sending, hint }} label={say('Send link')} />
      )}
    </FocusOnChange>
  )
}
