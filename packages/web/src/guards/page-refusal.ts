import { HttpError } from '@svc/core/client'
import { notePageFailure, type RefusedStatus } from '../outage/page-failure.ts'
import { refusedDigest } from './refused-page.ts'

/** Makes what the API refuses, if a page does not catch it, a page of that status. */
export function pageRefusal(error: unknown): unknown {
  const status = statusOf(error)
  // Next reads the digest of what a page has thrown, and hands it to `error.tsx`. It reads none of what a page catches.
  return status === null
    ? error
    : Object.defineProperty(error, 'digest', {
        get: () => {
          notePageFailure({ status, insteadOf: 500 })
          return refusedDigest(status)
        },
      })
}

/**
 * For a page that catches what the API refuses, to say it in words of its own: the status that the page then has behind
 * the front. All other errors are thrown again.
 */
export function refusePage(error: unknown): RefusedStatus {
  const status = statusOf(error)
  if (status === null) throw error
  notePageFailure({ status, insteadOf: 200 })
  return status
}

function statusOf(error: unknown): RefusedStatus | null {
  if (!(error instanceof HttpError)) return null
  return error.status === 400 || error.status === 403 ? error.status : null
}
