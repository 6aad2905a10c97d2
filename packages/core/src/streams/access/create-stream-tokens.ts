import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../../clock/clock.ts'
import type { StreamTokenStore, StreamTokens } from './stream-tokens.ts'
import { createMemoryTokenStore } from './token-store.ts'

/** For `createStreamTokens`: where the tokens are stored, and how long they are valid. */
export interface StreamTokenOptions {
  /** The memory of this process unless set. */
  store?: StreamTokenStore
  /** How long a token may wait for its stream, in milliseconds. 30,000 unless set. */
  ttl?: number
  clock?: Clock
}

const cleanupMillis = 60_000

// The ending of tokens that were signed for by a key. If a store lost the key, they would otherwise
// become tokens without a key.
const ofKey = '.k'

/**
 * One-time tokens with a store of their own. The code that makes them must destroy them when the
 * server stops.
 */
export function createStreamTokens({
  clock = systemClock,
  store = createMemoryTokenStore(clock),
  ttl = 30_000,
}: StreamTokenOptions = {}): StreamTokens & { destroy(): void } {
  // If a store fails to delete expired tokens now, it does so the next time. Each token expires by
  // itself all the same.
  const drop = async () => store.cleanup()
  const cleanup = setInterval(() => void drop().catch(() => {}), cleanupMillis)
  cleanup.unref()
  return {
    async issue(grant) {
      const end = grant.credential === undefined ? '' : ofKey
      const token = `${randomBytes(32).toString('base64url')}${end}`
      await store.set(token, { ...grant, token, expiresAt: clock.now().getTime() + ttl })
      return { token }
    },
    async consume(token) {
      const data = await store.consume(token)
      // A store of the application may leave this check to us.
      if (!data || data.expiresAt <= clock.now().getTime()) return null
      if (data.credential !== undefined || !token.endsWith(ofKey)) return data
      throw new Error('The store of stream tokens has not kept `credential`, by which streams end.')
    },
    destroy: () => clearInterval(cleanup),
  }
}
