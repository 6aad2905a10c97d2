import type { HttpError, StreamState } from '@svc/core/client'
import { useEffect, useState } from 'react'

/** What a subscription has to call, so that the status is known. */
export interface StreamListeners {
  onOpen: () => void
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
}

const connecting: StreamStatus = {
  state: 'connecting',
  attempts: 0,
  openSinceMillis: null,
  rejected: null,
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
    const client = open({
      onOpen: () => change({ state: 'open', attempts: 0, openSinceMillis: Date.now() }),
      onError: () => change({ state: 'error', openSinceMillis: null }),
      onReconnect: (attempts) => change({ state: 'connecting', attempts, openSinceMillis: null }),
      onRejected: (rejected) => change({ rejected }),
      onClose: () => change({ state: 'closed', openSinceMillis: null }),
    })
    return () => client.close()
  }, [open])
  return status
}
