import { useCallback, useRef, useState } from 'react'
import { useResume } from './step-up.ts'

/** An action that a user starts, and how it goes. `useAction` makes it. */
export interface Action<Arguments extends unknown[], Result> {
  /** Runs it, unless it is running already. Resolves to null if it failed, or was running. */
  run: (...given: Arguments) => Promise<Result | null>
  isRunning: boolean
  /** Why the last run failed, or null. */
  error: unknown
  /** Forgets the failure. */
  reset: () => void
}

/**
 * An action that a user starts, such as sending a form: one run at a time, and the result of the
 * last. Below a `StepUpProvider`, an action that needs a fresh proof waits for it, and then
 * continues.
 */
export function useAction<Arguments extends unknown[], Result>(
  act: (...given: Arguments) => Promise<Result>,
): Action<Arguments, Result> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // State would be too late for a second click.
  const isUnderWay = useRef(false)
  const resume = useResume(isRunning)
  const latest = useRef({ act, resume })
  latest.current = { act, resume }

  const run = useCallback(async (...given: Arguments) => {
    if (isUnderWay.current) return null
    isUnderWay.current = true
    setRunning(true)
    setError(null)
    try {
      return await latest.current.resume(() => latest.current.act(...given))
    } catch (failure) {
      setError(failure)
      return null
    } finally {
      isUnderWay.current = false
      setRunning(false)
    }
  }, [])
  const reset = useCallback(() => setError(null), [])
  return { run, isRunning, error, reset }
}
