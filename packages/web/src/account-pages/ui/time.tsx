'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import type { Say } from '../words/say.ts'

/** The reader's time zone. The server does not know it. */
export function useTimeZone() {
  return useSyncExternalStore(neverChanges, ownTimeZone, () => undefined)
}

const neverChanges = () => () => {}
const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A moment to the second, in the reader's time zone. Until the page runs in the browser, it is in UTC. */
export function ExactTime({ at }: { at: number }) {
  const say = useSay()
  const timeZone = useTimeZone()
  const format = new Intl.DateTimeFormat(say.dateLocale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone: timeZone ?? 'UTC',
  })
  return <time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>
}

/** A time of day in the reader's time zone; until the page runs in the browser, in UTC. */
export function TimeOfDay({ at }: { at: number }) {
  const say = useSay()
  const timeZone = useTimeZone()
  const format = new Intl.DateTimeFormat(say.dateLocale, {
    hour: 'numeric',
    minute: '2-digit',
    ...(timeZone ? { timeZone } : { timeZone: 'UTC', timeZoneName: 'short' as const }),
  })
  return <time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>
}

/** The same as text, for what is drawn in the browser only. */
export function clockTime(say: Say, at: Date | number) {
  return new Intl.DateTimeFormat(say.dateLocale, { timeStyle: 'short' }).format(at)
}

/** Whether so much time has passed since `of` last changed. */
export function useHasPassed(millis: number, of: unknown) {
  const [passed, setPassed] = useState<unknown>(null)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(of), millis)
    return () => clearTimeout(timer)
  }, [millis, of])
  return passed === of
}
