import type { StreamStatus } from '@svc/web/react'
import { type ReactNode, useId } from 'react'
import { ConnectionState } from './connection-state.tsx'
import type { Arrived } from './received.ts'
import { ReceivedList } from './received-list.tsx'

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
      <ReceivedList received={received} label={`Arrived over ${title}`} />
    </section>
  )
}
