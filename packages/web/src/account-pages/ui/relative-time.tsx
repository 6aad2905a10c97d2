'use client'

import { useEffect, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import type { Say } from '../words/say.ts'
import { useTimeZone } from './time.tsx'

const units = [
  { unit: 'year', seconds: 31_536_000 },
  { unit: 'month', seconds: 2_592_000 },
  { unit: 'week', seconds: 604_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

/** How long ago it was, or how long it is until then. The exact time is on hover, and for screen readers. */
export function RelativeTime({ at, now }: { at: string | number; now: number }) {
  const say = useSay()
  const timeZone = useTimeZone()
  const moment = new Date(at)
  const full = new Intl.DateTimeFormat(say.dateLocale, {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone: timeZone ?? 'UTC',
  }).format(moment)
  return (
    // A server and a browser may set the commas of a date differently.
    <time
      dateTime={moment.toISOString()}
      title={full}
      suppressHydrationWarning
      className="svc-number"
    >
      {timeFrom(say, moment.getTime(), now)}
      <span suppressHydrationWarning className="svc-hidden">{` (${full})`}</span>
    </time>
  )
}

/** When a credential was last used. */
export function LastUsed({ at, now }: { at: number | undefined; now: number }) {
  const say = useSay()
  if (at === undefined) return say('Not used yet.')
  return <>{say.nodes('Last used {since}.', { since: <RelativeTime at={at} now={now} /> })}</>
}

function timeFrom(say: Say, at: number, now: number) {
  const away = (at - now) / 1000
  // The clocks of two machines differ by seconds: less than a minute is no time.
  const largest = units.find(({ seconds }) => Math.abs(away) >= seconds)
  if (!largest) return say('just now')
  const relative = new Intl.RelativeTimeFormat(say.locale, { numeric: 'auto' })
  const count = away / largest.seconds
  // What is past is counted in whole units; a key of three months has three of them on its first day.
  return relative.format(count < 0 ? Math.ceil(count) : Math.round(count), largest.unit)
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
