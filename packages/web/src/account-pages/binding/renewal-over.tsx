import { usePaths, useSay } from '../provider/account-provider.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

interface Props {
  returnTo: string
  /** This browser has no session that could go on. */
  hasNone: boolean
}

/** Says that a session does not go on, with the way on. */
export function RenewalOver({ returnTo, hasNone }: Props) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div role="status">
      <h2 tabIndex={-1} className="svc-title">
        {hasNone ? say('There is no session to continue') : say('This session has ended')}
      </h2>
      <p className="svc-paragraph svc-above-2">
        {hasNone ? say(none) : say(refused)}{' '}
        <TextLink href={withReturnTo(paths.signIn, returnTo)}>{say('Sign in again')}</TextLink>
      </p>
    </div>
  )
}

const none = 'The session was ended, or you are not signed in on this browser.'
const refused =
  'You were away too long, the session was ended on another device, or the passkey belongs to another account.'
