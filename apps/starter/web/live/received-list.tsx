import type { Arrived } from './received.ts'
import { clockTime } from './received.ts'

interface Props {
  received: Arrived[]
  label: string
}

/** What has arrived, newest first. A log is announced when nothing else is being said. */
export function ReceivedList({ received, label }: Props) {
  return (
    <div role="log" aria-label={label} className="border-line border-t pt-3 text-sm">
      {received.length === 0 && <p className="py-2 text-faded">Nothing has arrived yet.</p>}
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
