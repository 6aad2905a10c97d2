import type { StreamStatus } from '@svc/web/react'
import { useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'
import { connectionWords, endingWords } from './connection-words.ts'
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
