import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'
import { askProvider, ProviderUnavailableError } from './ask-provider.ts'

export type SigningAlgorithm = 'RS256' | 'ES256'

export interface ProviderKey {
  readonly kid: string | undefined
  readonly alg: SigningAlgorithm
  readonly key: KeyObject
}

/** Providers publish a handful. Reading one takes up to 0.03 ms of the event loop. */
const mostKeys = 100

/** The keys that a provider signs id tokens with, as it publishes them (RFC 7517). */
export async function readKeys(jwksUri: string): Promise<ProviderKey[]> {
  const { status, json } = await askProvider(jwksUri)
  const host = URL.parse(jwksUri)?.host
  const isKeySet = status === 200 && typeof json === 'object' && json !== null && 'keys' in json
  if (!isKeySet || !Array.isArray(json.keys)) {
    throw new ProviderUnavailableError(`${host}: no key set (${status})`)
  }
  const keys = json.keys
    .slice(0, mostKeys)
    .map(readKey)
    .filter((key) => key !== null)
  if (keys.length === 0) throw new ProviderUnavailableError(`${host}: no key to verify with`)
  return keys
}

/** Null for a key of another use or kind: a provider may publish some. */
function readKey(jwk: unknown): ProviderKey | null {
  if (typeof jwk !== 'object' || jwk === null) return null
  // Whatever is in there, the platform checks what it reads of it.
  const { kid, kty, use = 'sig', alg, crv, n, e, x, y } = jwk as Record<string, unknown>
  const key = publicKey({ kty, crv, n, e, x, y } as webcrypto.JsonWebKey)
  const fitting = key && algorithmFor(key)
  if (!fitting || use !== 'sig' || (alg !== undefined && alg !== fitting)) return null
  return { kid: typeof kid === 'string' ? kid : undefined, alg: fitting, key }
}

function publicKey(jwk: webcrypto.JsonWebKey) {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return null
  }
}

function algorithmFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  const { modulusLength = 0, publicExponent = 0n, namedCurve } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1' ? 'ES256' : null
  if (asymmetricKeyType !== 'rsa') return null
  const isSound =
    publicExponent >= 65537n && publicExponent < 2n ** 32n && publicExponent % 2n === 1n
  // Beyond 8192 bits a verification is work enough to be an attack.
  return isSound && modulusLength >= 2048 && modulusLength <= 8192 ? 'RS256' : null
}
