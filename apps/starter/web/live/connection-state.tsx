import type { StreamStatus } from '@svc/web/react'
import { useWords } from '../words/languages.tsx'
import { fill, type Words } from '../words/words.ts'
import { clockTime } from './received.ts'

const dots = {
  connecting: 'bg-faded animate-pulse motion-reduce:animate-none',
  error: 'bg-faded animate-pulse motion-reduce:animate-none',
  open: 'bg-accent',
  closed: 'bg-danger',
}

/** A dot and words for a connection, and how long it has been open. */
export function ConnectionState({ status }: { status: StreamStatus }) {
  const live = useWords('live')
  const { state, openSinceMillis } = status
  const ending = endingWords(live, status)
  return (
    // As high as with the words about an end, so that nothing below moves when they come.
    <div className="min-h-16 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <span aria-hidden="true" className={`size-2 rounded-full ${dots[state]}`} />
        <span role="status" className="font-medium">
          {connectionWords(live, status)}
        </span>
        {openSinceMillis !== null && (
          <span className="text-faded tabular-nums">
            {fill(live.since, { time: clockTime(openSinceMillis) })}
          </span>
        )}
      </p>
      {ending && <p className="mt-1 text-faded">{ending}</p>}
    </div>
  )
}

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
