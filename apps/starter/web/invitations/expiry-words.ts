const counted = new Intl.RelativeTimeFormat('en')
const hourMillis = 3_600_000

/** How long an invitation waits still. */
export function expiryWords(expiresAt: string, now: number) {
  const hours = Math.floor((Date.parse(expiresAt) - now) / hourMillis)
  if (hours < 1) return 'ends within the hour'
  const days = Math.floor(hours / 24)
  return `ends ${days > 0 ? counted.format(days, 'day') : counted.format(hours, 'hour')}`
}
