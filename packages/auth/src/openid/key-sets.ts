import type { KeyObject } from 'node:crypto'
import type { Clock } from '@svc/core'
import { ProviderUnavailableError } from './ask-provider.ts'
import { type ProviderKey, readKeys, type SigningAlgorithm } from './read-keys.ts'

/** The public keys of providers, by where they publish them. */
export interface KeySets {
  /** Null where the provider has no such key. Throws where it cannot be asked. */
  find(jwksUri: string, key: WantedKey): Promise<KeyObject | null>
}

interface WantedKey {
  /** Without one, the only key for the algorithm is meant. */
  readonly kid: string | undefined
  readonly alg: SigningAlgorithm
}

interface KeySet {
  keys: readonly ProviderKey[]
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
// Through an outage of the provider.
const staleMillis = 24 * 60 * 60_000

export function createKeySets(clock: Clock): KeySets {
  const sets = new Map<string, KeySet>()

  function setAt(jwksUri: string) {
    const set = sets.get(jwksUri) ?? {
      keys: [],
      fetchedAt: -Infinity,
      triedAt: -Infinity,
      failure: null,
      asking: null,
    }
    sets.set(jwksUri, set)
    return set
  }

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
async function refresh(set: KeySet, jwksUri: string, now: number) {
  if (!set.asking && now - set.triedAt < pauseMillis) return
  set.asking ??= fetchKeys(set, jwksUri, now).finally(() => {
    set.asking = null
  })
  await set.asking
}

async function fetchKeys(set: KeySet, jwksUri: string, now: number) {
  set.triedAt = now
  try {
    set.keys = await readKeys(jwksUri)
    set.fetchedAt = now
    set.failure = null
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error
    set.failure = error
  }
}

function pick(set: KeySet, { kid, alg }: WantedKey) {
  const fitting = set.keys.filter(
    (key) => key.alg === alg && (kid === undefined || key.kid === kid),
  )
  return fitting.length === 1 ? (fitting[0]?.key ?? null) : null
}
