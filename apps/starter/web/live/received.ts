import { useCallback, useState } from 'react'

export interface Arrived {
  id: string
  text: string
  author: string
  arrivedAtMillis: number
}

export const mostShown = 50

/** The list with what has just arrived on top, and the oldest left out. */
export function withNewest(list: readonly Arrived[], arrived: Arrived): Arrived[] {
  // A stream that recovers after a gap may send a notice again.
  const others = list.filter(({ id }) => id !== arrived.id)
  return [arrived, ...others].slice(0, mostShown)
}

/** The notices of a stream, newest first, and what adds one. */
export function useReceived() {
  const [received, setReceived] = useState<Arrived[]>([])
  const receive = useCallback((notice: Omit<Arrived, 'arrivedAtMillis'>) => {
    const arrived = { ...notice, arrivedAtMillis: Date.now() }
    setReceived((before) => withNewest(before, arrived))
  }, [])
  return { received, receive }
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/**
 * The time of day in the reader's time zone: for events in the browser only, which the server
 * doesn't render.
 */
export function clockTime(atMillis: number) {
  return clock.format(atMillis)
}

/** The state of the last message that was sent over the WebSocket. */
export type Echo =
  | { state: 'none' }
  | { state: 'waiting'; sentAtMillis: number }
  | { state: 'answered'; text: string; millis: number }
  | { state: 'failed'; why: string }

export const noEcho: Echo = { state: 'none' }

/** The state after an answer to the message that is waited for. */
export function answered(before: Echo, text: string, nowMillis: number): Echo {
  if (before.state !== 'waiting') return before
  return { state: 'answered', text, millis: nowMillis - before.sentAtMillis }
}

/** The state after the answer was lost. */
export function failed(before: Echo, why: string): Echo {
  return before.state === 'waiting' ? { state: 'failed', why } : before
}
