import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'
import type { Clock } from '@svc/core'
import { isObject } from '../../is-object.ts'
import { askProvider, ProviderUnavailableError } from './ask-provider.ts'

/** The public keys of others, by the address that publishes them. */
export interface KeySets {
  /** Null if no such key is published. Throws if its host can't be reached. */
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
  /** The failure of the last request, if it failed. */
  failure: ProviderUnavailableError | null
  asking: Promise<void> | null
}

// A revoked key is trusted no longer than this while the provider can be reached.
const freshMillis = 10 * 60_000
// Tokens with invented key ids must not cause a request each.
const pauseMillis = 30_000
// Clients of strangers have sets too. One set has 100 keys of up to 2 kB.
const mostSets = 200

interface Publisher {
  /** Throws a `ProviderUnavailableError` if the keys can't be read. */
  readonly read: (jwksUri: string) => Promise<PublishedKey[]>
  /** How long keys are used while their host can't be reached. */
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
    // The most recently used one is last.
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
      // The provider may have this key by now. If its keys can't be read, that proves nothing
      // against the token.
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

export type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA'

export interface PublishedKey {
  readonly kid: string | undefined
  readonly algorithms: readonly SigningAlgorithm[]
  readonly key: KeyObject
}

/** Providers publish a handful. Parsing one takes up to 0.03 ms of the event loop. */
const mostKeys = 100

const ofIdTokens: readonly SigningAlgorithm[] = ['RS256', 'ES256']

/** The keys that a provider signs id tokens with, as it publishes them (RFC 7517). */
async function readKeys(jwksUri: string): Promise<PublishedKey[]> {
  const { status, json } = await askProvider(jwksUri)
  const host = URL.parse(jwksUri)?.host
  const keys = status === 200 ? keysOfSet(json, ofIdTokens) : null
  if (!keys) throw new ProviderUnavailableError(`${host}: no key set (${status})`)
  if (keys.length === 0) throw new ProviderUnavailableError(`${host}: no key to verify with`)
  return keys
}

/** The keys of a set that sign by one of the algorithms. Null if it is not a set. */
export function keysOfSet(
  set: unknown,
  algorithms: readonly SigningAlgorithm[],
): PublishedKey[] | null {
  if (!isObject(set) || !Array.isArray(set['keys'])) return null
  return set['keys']
    .slice(0, mostKeys)
    .map((jwk) => readKey(jwk, algorithms))
    .filter((key) => key !== null)
}

/** Null for a key of another use or kind: a set may contain some. */
function readKey(jwk: unknown, accepted: readonly SigningAlgorithm[]): PublishedKey | null {
  // A private key that is published can be used by every attacker.
  if (!isObject(jwk) || 'd' in jwk) return null
  const { kid, kty, use = 'sig', alg, crv, n, e, x, y } = jwk
  // Other members are ignored: the platform checks those that it reads.
  const key = publicKey({ kty, crv, n, e, x, y } as webcrypto.JsonWebKey)
  const algorithms = (key ? algorithmsFor(key) : []).filter(
    (each) => accepted.includes(each) && (alg === undefined || alg === each),
  )
  if (!key || algorithms.length === 0 || use !== 'sig') return null
  return { kid: typeof kid === 'string' ? kid : undefined, algorithms, key }
}

function publicKey(jwk: webcrypto.JsonWebKey) {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return null
  }
}

function algorithmsFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SigningAlgorithm[] {
  const { modulusLength = 0, publicExponent = 0n, namedCurve } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'ed25519') return ['EdDSA']
  if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1' ? ['ES256'] : []
  if (asymmetricKeyType !== 'rsa') return []
  const isSound =
    publicExponent >= 65537n && publicExponent < 2n ** 32n && publicExponent % 2n === 1n
  // Beyond 8192 bits, verifying takes so much work that it can be an attack.
  return isSound && modulusLength >= 2048 && modulusLength <= 8192 ? ['RS256', 'PS256'] : []
}
