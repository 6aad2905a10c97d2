import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

interface Props {
  returnTo: string
  /** This browser has no session that could go on. */
  hasNone: boolean
}

/** Says that a session does not go on, with the way on. */
export function RenewalOver({ returnTo, hasNone }: Props) {
  return (
    <div role="status">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        {hasNone ? 'There is no session to continue' : 'This session has ended'}
      </h2>
      <p className="mt-2 text-sm leading-relaxed">
        {hasNone ? none : refused}{' '}
        <TextLink href={withReturnTo('/login', returnTo)}>Sign in again</TextLink>
      </p>
    </div>
  )
}

const none = 'The session was ended, or you are not signed in on this browser.'
const refused =
  'You were away too long, the session was ended on another device, or the passkey belongs to another account.'
