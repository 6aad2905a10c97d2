import { ServiceUnavailableError } from '../errors/contract.ts'
import type { Log } from '../observation/observation.ts'
import { type Cache, wholeMillis } from './cache.ts'
import { Channels } from './channels.ts'

interface Entry {
  value: string
  expiresAt: number
}

// About 60 MB of tokens, counters and replay ids: 3,000 a second that live for a minute each.
const initialLimit = 200_000
const sweepMillis = 10_000

/** The memory of one process, for an application that runs as one instance. */
export function createMemoryCache({
  log,
  maxEntries = initialLimit,
}: {
  log: Pick<Log, 'error'>
  maxEntries?: number
}): Cache {
  const entries = new Map<string, Entry>()
  const bornAtMillis = Date.now()
  const channels = new Channels(log)
  const sweep = setInterval(() => dropExpired(entries), sweepMillis)
  sweep.unref()

  // Nothing below awaits: no racing caller can come between reading and writing.
  function live(key: string) {
    const entry = entries.get(key)
    if (!entry || entry.expiresAt > performance.now()) return entry
    entries.delete(key)
    return undefined
  }

  function put(key: string, value: string, ttlMillis: number) {
    if (entries.size >= maxEntries && !entries.has(key)) {
      // Evicting entries instead would let a flood remove the counter that limits it, or a spent
      // token.
      throw new ServiceUnavailableError({
        message: 'The cache of this process is full. Try again later.',
      })
    }
    entries.set(key, { value, expiresAt: performance.now() + wholeMillis(ttlMillis) })
  }

  return {
    shared: false,
    get: async (key) => live(key)?.value ?? null,
    set: async (key, value, ttlMillis) => put(key, value, ttlMillis),
    async setIfAbsent(key, value, ttlMillis) {
      if (live(key)) return false
      put(key, value, ttlMillis)
      return true
    },
    async spend(key, { sinceMillis, ttlMillis }) {
      const facts = { bornAtMillis, nowMillis: Date.now() }
      if (sinceMillis <= bornAtMillis) return { ...facts, outcome: 'unknown' }
      if (live(key)) return { ...facts, outcome: 'again' }
      put(key, '1', ttlMillis)
      return { ...facts, outcome: 'first' }
    },
    async take(key) {
      const entry = live(key)
      entries.delete(key)
      return entry?.value ?? null
    },
    async increment(key, ttlMillis) {
      const entry = live(key)
      if (!entry) put(key, '1', ttlMillis)
      else entry.value = String(Number(entry.value) + 1)
      return Number(entry?.value ?? 1)
    },
    async delete(key) {
      entries.delete(key)
    },
    publish: async (channel, message) => channels.deliver(channel, message),
    async subscribe(channel, handler) {
      const remove = channels.add(channel, handler)
      return async () => void remove()
    },
    countsEveryInstance: true,
    isListening: true,
    onInterruption: () => () => {},
    isUp: async () => true,
    async close() {
      clearInterval(sweep)
      entries.clear()
    },
  }
}

function dropExpired(entries: Map<string, Entry>) {
  const now = performance.now()
  for (const [key, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(key)
}
