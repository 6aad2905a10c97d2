import type { StreamStatus } from '@svc/web/react'

/** The state of a connection, in words for people. */
export function connectionWords({ state, attempts }: StreamStatus) {
  if (state === 'open') return 'Connected'
  if (state === 'closed') return 'Ended'
  // In the pause before an attempt, show the number of the next one.
  const attempt = state === 'error' ? attempts + 1 : attempts
  return attempt === 0 ? 'Connecting' : `Reconnecting, attempt ${attempt}`
}

/** Whether the stream has ended because the API no longer accepts this device's key. */
export function isSignedOut({ rejected }: StreamStatus) {
  return rejected?.status === 401
}

/** Why a stream has ended for good, where the API has said so. */
export function endingWords(status: StreamStatus) {
  if (!status.rejected) return ''
  return isSignedOut(status)
    ? 'The API no longer accepts this device. Sign in again.'
    : `The API refused the stream: ${status.rejected.message}`
}
