import type { StreamSettings } from './stream-settings.ts'

// With a longer delay, Node runs a timer at once, and again and again.
const longestTimer = 2_147_483_647

/**
 * Refuses numbers that a timer or a limit can't use, when the server starts instead of at its first
 * client.
 */
export function refuseOptions({ events, websockets }: StreamSettings) {
  for (const [method, registration] of Object.entries({ events, websockets })) {
    const { auth, ...options } = registration?.options ?? {}
    const numbers = { ...options, ...registration?.router.history, tokenTtl: auth?.tokenTtl }
    for (const [name, value] of Object.entries(numbers)) {
      if (typeof value === 'number') refuseNumber(`.${method}(…): ${name}`, name, value)
    }
  }
}

function refuseNumber(place: string, name: string, value: number) {
  const least = name.startsWith('maxConnectionsPer') ? 0 : 1
  if (Number.isInteger(value) && value >= least && value <= longestTimer) return
  throw new RangeError(`${place} is a whole number from ${least} to ${longestTimer}, not ${value}.`)
}
