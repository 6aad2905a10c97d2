'use client'

import { useEffect, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import type { Say } from '../words/say.ts'

/**
 * A moment to the second, in the reader's time zone. Before the page runs in the browser, in UTC.
 */
export function ExactTime({ at }: { at: number }) {
  const say = useSay()
  const [timeZone, setTimeZone] = useState('UTC')
  useEffect(() => setTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  const format = new Intl.DateTimeFormat(say.dateLocale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
  return <time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>
}

/** A time of day in the reader's time zone; until the page runs in the browser, in UTC. */
export function TimeOfDay({ at }: { at: number }) {
  const say = useSay()
  const [timeZone, setTimeZone] = useState<string>()
  useEffect(() => setTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
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

const units = [
  { unit: 'year', seconds: 31_536_000 },
  { unit: 'month', seconds: 2_592_000 },
  { unit: 'week', seconds: 604_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

export function RelativeTime({ at, now }: { at: string; now: number }) {
  const say = useSay()
  // In UTC: the server does not know the reader's zone, and both must render the same text.
  const full = new Intl.DateTimeFormat(say.dateLocale, {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone: 'UTC',
  })
  return (
    <time dateTime={at} title={full.format(new Date(at))} className="svc-number">
      {timeSince(say, Date.parse(at), now)}
    </time>
  )
}

function timeSince(say: Say, at: number, now: number) {
  // The clocks of two machines differ by seconds, so don't show a time in the future.
  const elapsed = Math.max(0, (now - at) / 1000)
  const largest = units.find(({ seconds }) => elapsed >= seconds)
  if (!largest) return say('just now')
  const relative = new Intl.RelativeTimeFormat(say.locale, { numeric: 'auto' })
  return relative.format(-Math.floor(elapsed / largest.seconds), largest.unit)
}

/**
 * The current time, updated every half minute. It starts as the server's, so that both render the
 * same text.
 */
export function useNow(renderedAt: number) {
  const [now, setNow] = useState(renderedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
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
