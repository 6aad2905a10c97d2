import { unstable_rethrow } from 'next/navigation.js'

/**
 * For a page that shows the rest of it when one part fails: logs the error, and returns the code that the log has it
 * under, for the page to show. It is the id of the API's request if the API has refused one. Next's own signals, such as
 * that of `redirect()`, are thrown again.
 */
export function partFailure(part: string, error: unknown): string {
  unstable_rethrow(error)
  const requestId = error instanceof Error && 'requestId' in error ? error.requestId : undefined
  const code = typeof requestId === 'string' ? requestId : crypto.randomUUID()
  console.error(`A part of a page failed: ${part}. Its code: ${code}`, error)
  return code
}
