import { TextLink, withReturnTo } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { useState } from 'react'
import { type Notice, noticesOf } from '../api.ts'
import { useWords } from '../words/languages.tsx'
import { failureMessage, isSignedOut } from './load-problem.ts'

interface Listeners {
  onPosted: (notice: Notice) => void
  onFailed?: () => void
  /** The organization on whose board it is posted. */
  org?: string | undefined
}

/** Posts one notice at a time, and says how it went. */
export function usePostNotice({ onPosted, onFailed, org }: Listeners) {
  const board = useWords('board')
  const [success, setSuccess] = useState('')
  const posting = useAction(async (text: string) => {
    setSuccess('')
    try {
      onPosted(await noticesOf(org).post({ body: { text } }))
    } catch (error) {
      onFailed?.()
      throw error
    }
    setSuccess(board.posted)
  })
  return { post: posting.run, isPosting: posting.isRunning, success, failure: posting.error }
}

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
