import { TextLink, withReturnTo } from '@svc/web/account'
import { useWords } from '../words/languages.tsx'
import { failureMessage, isSignedOut } from './load-problem.ts'

interface Props {
  success: string
  /** What was thrown, or null. */
  failure: unknown
  /** The page to return to after signing in. */
  returnTo: string
}

/**
 * The result of posting. Both lines are always there, so that a screen reader announces a change.
 */
export function PostOutcome({ success, failure, returnTo }: Props) {
  const board = useWords('board')
  const problems = useWords('problems')
  return (
    <div className="text-sm">
      <p role="status" className="text-accent">
        {success}
      </p>
      <p role="alert" className="text-danger">
        {failure !== null && failureMessage(board, failure)}{' '}
        {isSignedOut(failure) && (
          <TextLink href={withReturnTo('/login', returnTo)}>{problems.signIn}</TextLink>
        )}
      </p>
    </div>
  )
}
