import { useSay } from '../provider/account-provider.tsx'
import type { Say } from '../words/say.ts'

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
  // The clocks of two machines differ by seconds: nothing was posted in the future.
  const elapsed = Math.max(0, (now - at) / 1000)
  const largest = units.find(({ seconds }) => elapsed >= seconds)
  if (!largest) return say('just now')
  const relative = new Intl.RelativeTimeFormat(say.locale, { numeric: 'auto' })
  return relative.format(-Math.floor(elapsed / largest.seconds), largest.unit)
}
