import { createAuthSSEClient } from '@svc/core/client'
import { type StreamListeners, useStream } from '@svc/web/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { eventRouter } from 'starter-api/events'
import { publicApiUrl } from '../env.ts'
import { useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'
import type { LoadProblem } from './load-problem.ts'

interface Props {
  userId: string
  /** The organization whose board it is, if it is not that of everyone. */
  org: string | undefined
  /**
   * The list may have changed. `newId` is the id of a notice that was just posted, if there is one.
   */
  onChange: (newId?: string) => void
  onLive: (isLive: boolean) => void
}

/** Gets new notices as they are posted, and announces their author for screen readers. */
export function LiveNotices({ userId, org, onChange, onLive }: Props) {
  const board = useWords('board')
  const [author, setAuthor] = useState('')
  const changed = useRef(onChange)
  changed.current = onChange

  const open = useCallback(
    (listeners: StreamListeners) => {
      const client = createAuthSSEClient<typeof eventRouter>({
        host: publicApiUrl,
        // All tabs in which the user has the board of everyone open need one connection. That of an organization ends
        // when the user is no longer a member, so each has its own.
        ...(org === undefined && { shareAcrossTabs: userId }),
      })
      const arrived = (notice: { id: string; author: string }) => {
        setAuthor(notice.author)
        changed.current(notice.id)
      }
      client.subscribe({
        ...listeners,
        handlers: org === undefined ? { notice: arrived } : {},
        channels: org === undefined ? {} : { orgNotice: { [org]: arrived } },
        // A notice may have been posted while there was no stream, or may be missing in it.
        onOpen: (opened) => {
          listeners.onOpen(opened)
          if (!opened.recovered) changed.current()
        },
        onGap: (gap) => {
          listeners.onGap(gap)
          changed.current()
        },
        // Asking tells whether the connection was lost, or the membership.
        onError: (error) => {
          listeners.onError(error)
          if (org !== undefined) changed.current()
        },
      })
      return client
    },
    [userId, org],
  )
  const isLive = useStream(open).state === 'open'
  useEffect(() => onLive(isLive), [isLive, onLive])

  return (
    <p role="status" className="sr-only">
      {author && fill(board.arrived, { author })}
    </p>
  )
}

interface StatusProps {
  problem: LoadProblem | null
  /** New notices appear as they are posted. */
  isLive: boolean
}

/** Whether the API answers, and whether new notices come by themselves. */
export function ConnectionStatus({ problem, isLive }: StatusProps) {
  const board = useWords('board')
  const connected = isLive ? board.connectedLive : board.connected
  const away = problem === 'error' ? board.error : board.noAnswer
  return (
    <p role="status" className="flex items-center gap-2 text-faded text-sm">
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${problem ? 'bg-danger' : 'bg-accent'}`}
      />
      {problem ? away : connected}
    </p>
  )
}
