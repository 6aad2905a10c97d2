import type { HttpError, OpenedStream, StreamGap, StreamState } from '@svc/core/client'
import { useEffect, useState } from 'react'

/** The listeners that a subscription must call, so that the status is known. */
export interface StreamListeners {
  /** Pass on what the client's `onOpen` gets: then it also knows about missed events. */
  onOpen: (opened?: OpenedStream) => void
  onGap: (gap: StreamGap) => void
  onError: (error: HttpError) => void
  onReconnect: (attempt: number) => void
  onRejected: (error: HttpError) => void
  onClose: () => void
}

/** The part of a stream's client that is about its connection. */
interface Client {
  getState(): StreamState
  close(): void
}

/** How a stream of `useStream` is, for a page that shows it. */
export interface StreamStatus {
  /** `error` is the pause before the next attempt. */
  state: StreamState
  /** Attempts since the stream was last open. */
  attempts: number
  /** Since when it has been open, or null. */
  openSinceMillis: number | null
  /** Why the server has refused the stream for good, or null. */
  rejected: HttpError | null
  /**
   * The last time that events may have been missed, or null. It is a new object each time, for an
   * effect that loads again.
   */
  missed: MissedEvents | null
}

/** Events may have been sent while there was no stream, or be missing in it. */
export interface MissedEvents {
  /** For example `expired` or `unknown`, if the server has said why. */
  reason: string | null
}

const connecting: StreamStatus = {
  state: 'connecting',
  attempts: 0,
  openSinceMillis: null,
  rejected: null,
  missed: null,
}

/**
 * Keeps a stream open while the component is mounted. `open` makes a client and subscribes with the
 * given listeners, besides handlers of its own. It must stay the same function as long as the
 * stream should stay open.
 */
export function useStream(open: (listeners: StreamListeners) => Client): StreamStatus {
  const [status, setStatus] = useState(connecting)
  useEffect(() => {
    setStatus(connecting)
    const change = (changes: Partial<StreamStatus>) =>
      setStatus((before) => ({ ...before, ...changes }))
    let wasOpen = false
    const client = open({
      onOpen: (opened) => {
        change({ state: 'open', attempts: 0, openSinceMillis: Date.now() })
        // Before the first time, there was nothing to miss.
        if (wasOpen && !opened?.recovered) change({ missed: { reason: opened?.reason ?? null } })
        wasOpen = true
      },
      onGap: ({ reason }) => change({ missed: { reason } }),
      onError: () => change({ state: 'error', openSinceMillis: null }),
      onReconnect: (attempts) => change({ state: 'connecting', attempts, openSinceMillis: null }),
      onRejected: (rejected) => change({ rejected }),
      onClose: () => change({ state: 'closed', openSinceMillis: null }),
    })
    return () => client.close()
  }, [open])
  return status
}
