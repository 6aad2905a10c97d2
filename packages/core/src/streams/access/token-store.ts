import { createHash } from 'node:crypto'
import type { Cache } from '../../cache/cache.ts'
import type { Clock } from '../../clock/clock.ts'
import { ServiceUnavailableError } from '../../errors/contract.ts'
import type { StreamToken, StreamTokenStore } from './stream-tokens.ts'

// 20 MB of unused tokens: more than three thousand a second, for the half minute that each lives.
const memoryLimit = 100_000

/** The tokens of an application that runs as one process. */
export function createMemoryTokenStore(clock: Clock): StreamTokenStore {
  const tokens = new Map<string, StreamToken>()

  /** The oldest ones expire first. */
  function dropExpired() {
    const now = clock.now().getTime()
    for (const [token, { expiresAt }] of tokens) {
      if (expiresAt > now) return
      tokens.delete(token)
    }
  }

  return {
    set(token, data) {
      if (tokens.size >= memoryLimit) dropExpired()
      // Evicting one instead would let a flood remove the token of another user.
      if (tokens.size >= memoryLimit) throw new ServiceUnavailableError()
      tokens.set(token, data)
    },
    consume(token) {
      const data = tokens.get(token) ?? null
      tokens.delete(token)
      return data && data.expiresAt > clock.now().getTime() ? data : null
    },
    cleanup() {
      const now = clock.now().getTime()
      for (const [token, { expiresAt }] of tokens) if (expiresAt <= now) tokens.delete(token)
    },
  }
}

/**
 * The tokens of all instances. The cache has only their hashes: an attacker who reads it can't open
 * a stream.
 */
export function createCacheTokenStore(cache: Cache, clock: Clock): StreamTokenStore {
  const keyOf = (token: string) =>
    `sse:token:${createHash('sha256').update(token).digest('base64url')}`
  return {
    async set(token, { token: _, ...data }) {
      const lifeMillis = data.expiresAt - clock.now().getTime()
      await cache.set(keyOf(token), JSON.stringify(data), lifeMillis)
    },
    async consume(token) {
      const text = await cache.take(keyOf(token))
      if (text === null) return null
      const data = { ...(JSON.parse(text) as Omit<StreamToken, 'token'>), token }
      return data.expiresAt > clock.now().getTime() ? data : null
    },
    // The cache deletes expired ones itself.
    cleanup() {},
  }
}
