import { createAuthSSEClient } from '@svc/core/client'
import { type StreamListeners, useStream } from '@svc/web/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { eventRouter } from 'starter-api/events'
import { publicApiUrl } from '../env.ts'

interface Props {
  userId: string
  /** The list may have changed; `newId` is the notice that was posted, where one was. */
  onChange: (newId?: string) => void
  onLive: (isLive: boolean) => void
}

/** Hears of new notices as they are posted, and says whose they are to who does not see them appear. */
export function LiveNotices({ userId, onChange, onLive }: Props) {
  const [author, setAuthor] = useState('')
  const changed = useRef(onChange)
  changed.current = onChange

  const open = useCallback(
    (listeners: StreamListeners) => {
      const client = createAuthSSEClient<typeof eventRouter>({
        host: publicApiUrl,
        // The tabs in which somebody has the board open need one connection.
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
        // Something may have been posted while there was no stream, or have been left out of it.
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
      {author && `A new notice by ${author}.`}
    </p>
  )
}
