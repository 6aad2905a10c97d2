import { createAuthSSEClient } from '@svc/core/client'
import { type StreamListeners, useStream } from '@svc/web/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { eventRouter } from 'starter-api/events'
import { publicApiUrl } from '../env.ts'
import { useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'

interface Props {
  userId: string
  /**
   * The list may have changed. `newId` is the id of a notice that was just posted, if there is one.
   */
  onChange: (newId?: string) => void
  onLive: (isLive: boolean) => void
}

/** Gets new notices as they are posted, and announces their author for screen readers. */
export function LiveNotices({ userId, onChange, onLive }: Props) {
  const board = useWords('board')
  const [author, setAuthor] = useState('')
  const changed = useRef(onChange)
  changed.current = onChange

  const open = useCallback(
    (listeners: StreamListeners) => {
      const client = createAuthSSEClient<typeof eventRouter>({
        host: publicApiUrl,
        // All tabs in which the user has the board open need one connection.
        shareAcrossTabs: userId,
      })
      client.subscribe({
        ...listeners,
        handlers: {
          notice: (notice) => {
            setAuthor(notice.author)
            changed.current(notice.id)
          },
        },
        // A notice may have been posted while there was no stream, or may be missing in it.
        onOpen: (opened) => {
          listeners.onOpen(opened)
          if (!opened.recovered) changed.current()
        },
        onGap: (gap) => {
          listeners.onGap(gap)
          changed.current()
        },
      })
      return client
    },
    [userId],
  )
  const isLive = useStream(open).state === 'open'
  useEffect(() => onLive(isLive), [isLive, onLive])

  return (
    <p role="status" className="sr-only">
      {author && fill(board.arrived, { author })}
    </p>
  )
}
