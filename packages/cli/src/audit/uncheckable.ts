import { failureText } from '@svc/core'
import { CommandFailure } from '../failure.ts'

class UncheckableError extends CommandFailure {
  override readonly name = 'UncheckableError'
  override readonly exitCode = 2
}

/** A check that could not finish says nothing about what it would have found. */
export async function uncheckable(run: () => Promise<number>) {
  try {
    return await run()
  } catch (error) {
    const text = error instanceof CommandFailure ? error.message : failureText(error)
    throw new UncheckableError(text, { cause: error })
  }
}
