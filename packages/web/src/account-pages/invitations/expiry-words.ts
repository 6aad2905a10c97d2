import type { Say } from '../words/say.ts'

const counted = new Intl.RelativeTimeFormat('en')
const hourMillis = 3_600_000

/** How long an invitation waits still. */
export function expiryWords(say: Say, expiresAt: string, now: number) {
  // An invitation of seven days has seven of them when it was just sent.
  const hours = Math.ceil((Date.parse(expiresAt) - now) / hourMillis)
  if (hours <= 1) return say('expires within an hour')
  if (hours < 24) return `expires ${counted.format(hours, 'hour')}`
  return `expires ${counted.format(Math.ceil(hours / 24), 'day')}`
}
