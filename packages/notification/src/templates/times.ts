/** `5 minutes`, `5분`. */
export function duration(lang: string, count: number, unit: 'minute' | 'hour' | 'day') {
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** `March 1, 2026 at 12:00 UTC`: the server doesn't know the reader's time zone. */
export function moment(lang: string, at: string) {
  return new Intl.DateTimeFormat(lang, { ...date, ...time }).format(new Date(at))
}

/** `March 1, 2026 (UTC)`. */
export function day(lang: string, at: string) {
  return `${new Intl.DateTimeFormat(lang, date).format(new Date(at))} (UTC)`
}

const date = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
const time = {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const
