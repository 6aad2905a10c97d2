import type { CallOptions } from '@svc/core/client'
import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * What a call does while the server keeps a place in line for it: `comesAt` is when the call is sent again by itself, in
 * milliseconds since 1970. Leaving the page aborts the call.
 */
export function useTurn() {
  const [comesAt, setComesAt] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const inTurn = useCallback(async <Result>(call: (options: CallOptions) => Promise<Result>) => {
    const own = new AbortController()
    running.current = own
    try {
      return await call({
        signal: own.signal,
        onWait: ({ millis }) => setComesAt(Date.now() + millis),
      })
    } finally {
      setComesAt(null)
    }
  }, [])
  return { comesAt, inTurn }
}
