import { createPublicKey, createSecretKey, type webcrypto } from 'node:crypto'
import { generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import type { JWKStore } from 'oauth2-mock-server'

/** What is wrong with the signature of a token, or what kind of token it is. */
export interface IdTokenForgery {
  /** `HS256` is signed with the text of the public key. RS256 unless set. */
  readonly alg?: 'RS256' | 'ES256' | 'HS256' | 'none'
  /** In the header: of a key that is published unless set. */
  readonly kid?: string
  /** In the header. None unless set. */
  readonly typ?: string
  /** Signed with a key that is not the provider's, or with this secret. */
  readonly key?: 'foreign' | { secret: string }
}

type Claims = Record<string, unknown>

export async function signIdToken(keys: JWKStore, claims: Claims, forgery: IdTokenForgery) {
  const { alg = 'RS256', typ } = forgery
  if (alg === 'none') return new UnsecuredJWT(claims).encode()
  const published = keys.get(alg === 'ES256' ? 'ec' : 'rsa')
  if (!published) throw new Error('The server has no key')
  const kid = forgery.kid ?? published.kid
  const key = await signingKey(published, forgery)
  return new SignJWT(claims)
    .setProtectedHeader({ alg, kid, ...(typ !== undefined && { typ }) })
    .sign(key)
}

async function signingKey(jwk: webcrypto.JsonWebKey, { alg = 'RS256', key }: IdTokenForgery) {
  if (typeof key === 'object') return createSecretKey(key.secret, 'utf8')
  if (alg === 'HS256') {
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    return createSecretKey(pem, 'utf8')
  }
  if (key === 'foreign') return (await generateKeyPair(alg)).privateKey
  return importJWK({ ...jwk }, alg)
}
