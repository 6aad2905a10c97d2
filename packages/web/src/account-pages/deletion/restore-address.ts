/** The address of the page that restores an account, with the last day on which it can. */
export function restoreAddress(restorePath: string, purgeAt: Date) {
  return `${restorePath}?until=${purgeAt.toISOString().slice(0, 10)}`
}

/**
 * The day in such an address; null if there is none, or if it was made up: no account waits for a
 * year.
 */
export function lastDay(until: string | string[] | undefined, now: number) {
  if (typeof until !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(until)) return null
  const day = new Date(`${until}T00:00:00Z`)
  const days = (day.getTime() - now) / dayMillis
  // The day itself has begun.
  return days > -1 && days <= 366 ? until : null
}

const dayMillis = 86_400_000
