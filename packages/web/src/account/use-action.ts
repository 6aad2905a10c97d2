import { useCallback, useRef, useState } from 'react'
import { type Confirmed, useResume } from './step-up.ts'

export interface Action<Arguments extends unknown[], Result> {
  /** Runs it, unless it runs already. Resolves to null where it failed, or was under way. */
  run: (...given: Arguments) => Promise<Result | null>
  isRunning: boolean
  /** Why the last run failed, or null. */
  error: unknown
  /** Forgets the failure. */
  reset: () => void
}

/**
 * Something a person sets off, such as a form: one run at a time, and what came of the last. Below a `StepUpProvider`,
 * what is refused until the second factor is proved once more waits for that, and goes on.
 */
export function useAction<Arguments extends unknown[], Result>(
  act: (...given: Arguments) => Promise<Result>,
): Action<Arguments, Result> {
  return useResumedAction((_, ...given: Arguments) => act(...given), { takesPassword: false })
}

/**
 * As `useAction`, for an operation that takes the current password where nobody has signed in lately: `act` gets
 * `{ currentPassword }` first, once a `StepUpProvider` has asked for it.
 */
export function useConfirmedAction<Arguments extends unknown[], Result>(
  act: (confirmed: Confirmed, ...given: Arguments) => Promise<Result>,
): Action<Arguments, Result> {
  return useResumedAction(act, { takesPassword: true })
}

function useResumedAction<Arguments extends unknown[], Result>(
  act: (confirmed: Confirmed, ...given: Arguments) => Promise<Result>,
  { takesPassword }: { takesPassword: boolean },
): Action<Arguments, Result> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // State would tell a second click too late.
  const isUnderWay = useRef(false)
  const resume = useResume(isRunning)
  const latest = useRef({ act, resume })
  latest.current = { act, resume }

  const run = useCallback(
    async (...given: Arguments) => {
      if (isUnderWay.current) return null
      isUnderWay.current = true
      setRunning(true)
      setError(null)
      try {
        return await latest.current.resume({
          act: (confirmed) => latest.current.act(confirmed, ...given),
          takesPassword,
        })
      } catch (failure) {
        setError(failure)
        return null
      } finally {
        isUnderWay.current = false
        setRunning(false)
      }
    },
    [takesPassword],
  )
  const reset = useCallback(() => setError(null), [])
  return { run, isRunning, error, reset }
}
