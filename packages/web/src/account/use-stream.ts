import type { HttpError, OpenedStream, StreamGap, StreamState } from '@svc/core/client'
import { useEffect, useState } from 'react'

/** What a subscription has to call, so that the status is known. */
export interface StreamListeners {
  /** Given what the subscription was, it also knows of what was missed. */
  onOpen: (opened?: OpenedStream) => void
  onGap: (gap: StreamGap) => void
  onError: (error: HttpError) => void
  onReconnect: (attempt: number) => void
  onRejected: (error: HttpError) => void
  onClose: () => void
}

/** A client of a stream, as far as its connection goes. */
interface Client {
  getState(): StreamState
  close(): void
}

export interface StreamStatus {
  /** `error` is the pause before the next attempt. */
  state: StreamState
  /** Attempts since the stream was last open. */
  attempts: number
  /** Since when it is open, or null. */
  openSinceMillis: number | null
  /** Why the server has refused the stream for good, or null. */
  rejected: HttpError | null
  /** The last time that something may have been missed, or null: a new object each time, for an effect that reads again. */
  missed: MissedEvents | null
}

/** Events may have come while there was no stream, or have been left out of one. */
export interface MissedEvents {
  /** Such as `expired` or `unknown`, where the server has said why. */
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
 * Keeps a stream open while the component is there. `open` makes a client and subscribes with what it is given, besides
 * handlers of its own; it has to stay the same function for as long as the stream is to stay open.
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
