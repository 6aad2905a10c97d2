import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { defineEnv, EnvironmentError, type EnvironmentSource, optional, parseJson } from '@svc/core'
import { isP256, isRsa } from '../../crypto/crypto.ts'
import { isObject } from '../../is-object.ts'

/** `ES256` is shorter and faster. Some applications know `RS256` only. */
export type IdTokenAlgorithm = 'ES256' | 'RS256'

/** A private key that signs what applications read. */
export interface SigningKey {
  readonly kid: string
  readonly algorithm: IdTokenAlgorithm
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** As `jwks_uri` publishes it. */
  readonly published: Readonly<Record<string, unknown>>
}

/** The first one signs. All of them are published. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]]

const readVariables = defineEnv({ SVC_AUTH_OPENID_KEYS: optional })

/** Throws without a key that can sign. No message shows a part of a key. */
export function readSigningKeys(source: EnvironmentSource): SigningKeys {
  const { SVC_AUTH_OPENID_KEYS: text } = readVariables(source)
  const [first, ...others] = text === undefined ? [] : listOf(text).map(signingKey)
  if (!first) {
    throw refused('must be set: a JSON list of private keys (JWK), of which the first signs')
  }
  const keys: SigningKeys = [first, ...others]
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length)
    throw refused('has the same kid twice')
  return keys
}

/** A list, or a set (RFC 7517). */
function listOf(text: string): unknown[] {
  const given = parsed(text)
  const list = isObject(given) && 'keys' in given ? given.keys : given
  if (!Array.isArray(list)) throw refused('must be a JSON list of private keys (JWK)')
  return list
}

function parsed(text: string) {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    throw refused('must be JSON')
  }
}

function signingKey(jwk: unknown, at: number): SigningKey {
  const privateKey = imported(jwk)
  const publicKey = privateKey && createPublicKey(privateKey)
  const algorithm = publicKey && algorithmOf(publicKey)
  if (!privateKey || !algorithm || !isPair(privateKey, publicKey)) {
    throw refused(`[${at}] must be a private key of P-256, or of RSA with 2048 to 4096 bits`)
  }
  const { kid: given, use = 'sig', alg = algorithm } = jwk as Record<string, unknown>
  if (use !== 'sig' || alg !== algorithm) {
    throw refused(`[${at}] has a use or an alg that is not that of a signature by ${algorithm}`)
  }
  const publicJwk = publicKey.export({ format: 'jwk' })
  const kid = typeof given === 'string' && given !== '' ? given : thumbprintOf({ ...publicJwk })
  const published = { ...publicJwk, kid, use: 'sig', alg: algorithm }
  return { kid, algorithm, privateKey, publicKey, published }
}

function imported(jwk: unknown) {
  try {
    return createPrivateKey({ key: jwk as { kty: string }, format: 'jwk' })
  } catch {
    return null
  }
}

function algorithmOf(publicKey: KeyObject): IdTokenAlgorithm | null {
  const der = publicKey.export({ format: 'der', type: 'spki' })
  if (isP256(der)) return 'ES256'
  return isRsa(der) ? 'RS256' : null
}

/** A JWK has both halves, and they may be of two keys: then no application could check anything. */
function isPair(privateKey: KeyObject, publicKey: KeyObject) {
  const text = Buffer.from('a pair')
  return verify('sha256', text, publicKey, sign('sha256', text, privateKey))
}

/** RFC 7638. */
function thumbprintOf({ crv, e, kty, n, x, y }: Record<string, unknown>) {
  const members = JSON.stringify(kty === 'EC' ? { crv, kty, x, y } : { e, kty, n })
  return createHash('sha256').update(members).digest('base64url')
}

const refused = (problem: string) => new EnvironmentError([`SVC_AUTH_OPENID_KEYS ${problem}`])
