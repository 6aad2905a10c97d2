import type { StreamStatus } from '@svc/web/react'
import { fill, type Words } from '../words/words.ts'

/** The state of a connection, in words for people. */
export function connectionWords(live: Words['live'], { state, attempts }: StreamStatus) {
  if (state === 'open') return live.connected
  if (state === 'closed') return live.ended
  // In the pause before an attempt, show the number of the next one.
  const attempt = state === 'error' ? attempts + 1 : attempts
  return attempt === 0 ? live.connecting : fill(live.reconnecting, { attempt })
}

/** Whether the stream has ended because the API no longer accepts this device's key. */
export function isSignedOut({ rejected }: StreamStatus) {
  return rejected?.status === 401
}

/** Why a stream has ended for good, where the API has said so. */
export function endingWords(live: Words['live'], status: StreamStatus) {
  if (!status.rejected) return ''
  return isSignedOut(status)
    ? live.refusedDevice
    : fill(live.refused, { message: status.rejected.message })
}
