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
        {hasNone ? 'No session waits here to go on' : 'This session cannot go on'}
      </h2>
      <p className="mt-2 text-sm leading-relaxed">
        {hasNone ? none : refused}{' '}
        <TextLink href={withReturnTo('/login', returnTo)}>Sign in again</TextLink>
      </p>
    </div>
  )
}

const none = 'It was ended, or you are not signed in on this browser.'
const refused =
  'It has rested for too long, was ended from elsewhere, or the passkey is not one of its account.'
