import type { KeyObject } from 'node:crypto'
import type { Clock } from '@svc/core'
import { ProviderUnavailableError } from './ask-provider.ts'
import { type PublishedKey, readKeys, type SigningAlgorithm } from './read-keys.ts'

/** The public keys of others, by where they publish them. */
export interface KeySets {
  /** Null where no such key is published. Throws where its host cannot be asked. */
  find(jwksUri: string, key: WantedKey): Promise<KeyObject | null>
}

export interface WantedKey {
  /** Without one, the only key for the algorithm is meant. */
  readonly kid: string | undefined
  readonly alg: SigningAlgorithm
}

interface KeySet {
  keys: readonly PublishedKey[]
  fetchedAt: number
  triedAt: number
  /** Of the last time that it was asked. */
  failure: ProviderUnavailableError | null
  asking: Promise<void> | null
}

// A key that is taken back is trusted no longer than this while the provider can be asked.
const freshMillis = 10 * 60_000
// Tokens with invented key ids must not make us ask for each of them.
const pauseMillis = 30_000
// Clients of strangers have sets too. One set has 100 keys of up to 2 kB.
const mostSets = 200

interface Publisher {
  /** Throws a `ProviderUnavailableError` where the keys cannot be read. */
  readonly read: (jwksUri: string) => Promise<PublishedKey[]>
  /** How long keys are used while their host cannot be asked. */
  readonly staleMillis: number
}

const providers: Publisher = { read: readKeys, staleMillis: 24 * 60 * 60_000 }

export function createKeySets(clock: Clock, { read, staleMillis }: Publisher = providers): KeySets {
  const sets = new Map<string, KeySet>()

  function setAt(jwksUri: string) {
    const set = sets.get(jwksUri) ?? {
      keys: [],
      fetchedAt: -Infinity,
      triedAt: -Infinity,
      failure: null,
      asking: null,
    }
    // The one that was used last is last.
    sets.delete(jwksUri)
    const [first] = sets.keys()
    if (first !== undefined && sets.size >= mostSets) sets.delete(first)
    sets.set(jwksUri, set)
    return set
  }

  const refresh = (set: KeySet, jwksUri: string, now: number) =>
    refreshBy(set, now, () => read(jwksUri))

  return {
    async find(jwksUri, wanted) {
      const set = setAt(jwksUri)
      const now = clock.now().getTime()
      if (now - set.fetchedAt >= freshMillis) await refresh(set, jwksUri, now)
      if (!pick(set, wanted)) await refresh(set, jwksUri, now)
      const found = now - set.fetchedAt <= staleMillis ? pick(set, wanted) : null
      // It may be the provider's by now: that nobody can tell is no word against the token.
      if (!found && set.failure) throw set.failure
      return found
    },
  }
}

/** One request at a time, and one in thirty seconds, whether it succeeds or not. */
async function refreshBy(set: KeySet, now: number, read: () => Promise<PublishedKey[]>) {
  if (!set.asking && now - set.triedAt < pauseMillis) return
  set.asking ??= fetchKeys(set, now, read).finally(() => {
    set.asking = null
  })
  await set.asking
}

async function fetchKeys(set: KeySet, now: number, read: () => Promise<PublishedKey[]>) {
  set.triedAt = now
  try {
    set.keys = await read()
    set.fetchedAt = now
    set.failure = null
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error
    set.failure = error
  }
}

const pick = ({ keys }: KeySet, wanted: WantedKey) => pickKey(keys, wanted)

export function pickKey(keys: readonly PublishedKey[], { kid, alg }: WantedKey) {
  const fitting = keys.filter(
    (key) => key.algorithms.includes(alg) && (kid === undefined || key.kid === kid),
  )
  return fitting.length === 1 ? (fitting[0]?.key ?? null) : null
}
