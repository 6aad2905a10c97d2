import type { StreamStatus } from '@svc/web/react'
import { type ReactNode, useId } from 'react'
import { useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'
import { ConnectionState } from './connection-state.tsx'
import { type Arrived, clockTime } from './received.ts'

interface Props {
  title: string
  about: string
  status: StreamStatus
  received: Arrived[]
  /** What can be done with the connection. */
  children?: ReactNode
}

/** One stream: how its connection is, and what came over it. */
export function StreamPanel({ title, about, status, received, children }: Props) {
  const live = useWords('live')
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 gap-4 rounded-xl border border-line bg-sheet p-5"
    >
      <div>
        <h2 id={id} className="font-medium text-lg">
          {title}
        </h2>
        <p className="mt-1 text-faded text-sm">{about}</p>
      </div>
      <ConnectionState status={status} />
      {children}
      <ReceivedList received={received} label={fill(live.arrivedOver, { stream: title })} />
    </section>
  )
}

interface ReceivedListProps {
  received: Arrived[]
  label: string
}

/** What has arrived, newest first. A log is announced when nothing else is being said. */
function ReceivedList({ received, label }: ReceivedListProps) {
  const live = useWords('live')
  return (
    // Its height is fixed, so that nothing below moves when something arrives.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, a keyboard can't scroll the list
    <div
      role="log"
      aria-label={label}
      tabIndex={0}
      className="h-56 overflow-y-auto border-line border-t pt-3 text-sm"
    >
      {received.length === 0 && <p className="py-2 text-faded">{live.nothing}</p>}
      <ol>
        {received.map(({ id, text, author, arrivedAtMillis }) => (
          <li key={id} className="fresh-notice border-line border-b py-2 last:border-b-0">
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
            <p className="text-faded tabular-nums">
              {author} · {clockTime(arrivedAtMillis)}
            </p>
          </li>
        ))}
      </ol>
    </div>
  )
}
