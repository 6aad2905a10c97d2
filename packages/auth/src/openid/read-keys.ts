import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'
import { isObject } from '../is-object.ts'
import { askProvider, ProviderUnavailableError } from './ask-provider.ts'

export type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA'

export interface PublishedKey {
  readonly kid: string | undefined
  readonly algorithms: readonly SigningAlgorithm[]
  readonly key: KeyObject
}

/** Providers publish a handful. Reading one takes up to 0.03 ms of the event loop. */
const mostKeys = 100

const ofIdTokens: readonly SigningAlgorithm[] = ['RS256', 'ES256']

/** The keys that a provider signs id tokens with, as it publishes them (RFC 7517). */
export async function readKeys(jwksUri: string): Promise<PublishedKey[]> {
  const { status, json } = await askProvider(jwksUri)
  const host = URL.parse(jwksUri)?.host
  const keys = status === 200 ? keysOfSet(json, ofIdTokens) : null
  if (!keys) throw new ProviderUnavailableError(`${host}: no key set (${status})`)
  if (keys.length === 0) throw new ProviderUnavailableError(`${host}: no key to verify with`)
  return keys
}

/** The keys of a set that sign by one of the algorithms. Null for what is not a set. */
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

/** Null for a key of another use or kind: a set may have some. */
function readKey(jwk: unknown, accepted: readonly SigningAlgorithm[]): PublishedKey | null {
  // A private key that is published signs for anybody.
  if (!isObject(jwk) || 'd' in jwk) return null
  const { kid, kty, use = 'sig', alg, crv, n, e, x, y } = jwk
  // Whatever is in there, the platform checks what it reads of it.
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
  // Beyond 8192 bits a verification is work enough to be an attack.
  return isSound && modulusLength >= 2048 && modulusLength <= 8192 ? ['RS256', 'PS256'] : []
}
