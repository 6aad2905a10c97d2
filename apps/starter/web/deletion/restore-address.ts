/** Where an account is restored, with the day until which it can be. */
export function restoreAddress(purgeAt: Date) {
  return `/restore?until=${purgeAt.toISOString().slice(0, 10)}`
}

/** The day of such an address in words; null where there is none, or what somebody has made up: no account waits for a year. */
export function dayInWords(until: string | string[] | undefined, now: number) {
  if (typeof until !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(until)) return null
  const day = new Date(`${until}T00:00:00Z`)
  const days = (day.getTime() - now) / dayMillis
  // The day itself has begun.
  return days > -1 && days <= 366 ? words.format(day) : null
}

const dayMillis = 86_400_000
const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
