import { useCallback, useState } from 'react'
import { type Arrived, withNewest } from './received.ts'

/** The notices of a stream, newest first, and what adds one. */
export function useReceived() {
  const [received, setReceived] = useState<Arrived[]>([])
  const receive = useCallback((notice: Omit<Arrived, 'arrivedAtMillis'>) => {
    const arrived = { ...notice, arrivedAtMillis: Date.now() }
    setReceived((before) => withNewest(before, arrived))
  }, [])
  return { received, receive }
}
