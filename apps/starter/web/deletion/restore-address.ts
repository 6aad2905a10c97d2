/** Where an account is restored, with the day until which it can be. */
export function restoreAddress(purgeAt: Date) {
  return `/restore?until=${purgeAt.toISOString().slice(0, 10)}`
}

/** The day of such an address in words; null where there is none, or what somebody has made up. */
export function dayInWords(until: string | string[] | undefined) {
  if (typeof until !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(until)) return null
  const day = new Date(`${until}T00:00:00Z`)
  return Number.isNaN(day.getTime()) ? null : words.format(day)
}

const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
