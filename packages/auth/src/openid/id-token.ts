import type { Clock } from '@svc/core'
import { compactVerify, errors } from 'jose'
import type { KeySets } from './key-sets.ts'
import { ProviderRefusalError } from './provider.ts'

/** What an id token must say. */
export interface ExpectedIdToken {
  readonly issuers: readonly string[]
  readonly audiences: readonly string[]
  /** As the token holds it. */
  readonly nonce: string
  readonly jwksUri: string
}

export interface IdTokenClaims {
  readonly sub: string
  readonly [claim: string]: unknown
}

const longestToken = 16 * 1024
const skewSeconds = 60

/** The claims of an id token that a provider has signed for us, just now, for this nonce (OpenID Connect Core 3.1.3.7). */
export async function verifyIdToken(
  { keys, clock }: { keys: KeySets; clock: Clock },
  idToken: string,
  expected: ExpectedIdToken,
): Promise<IdTokenClaims> {
  if (idToken.length > longestToken) throw new ProviderRefusalError('The id token is too long')
  const claims = await readSigned(keys, idToken, expected.jwksUri)
  checkIssuer(claims, expected)
  checkAudience(claims, expected)
  checkTimes(claims, clock.now().getTime() / 1000)
  // Without one expected, a token without one must not fit.
  if (!expected.nonce || claims['nonce'] !== expected.nonce) refuse('nonce')
  return { ...claims, sub: readSubject(claims['sub']) }
}

type Claims = Record<string, unknown>

function refuse(claim: string): never {
  throw new ProviderRefusalError(`The id token does not hold: ${claim}`)
}

async function readSigned(keys: KeySets, idToken: string, jwksUri: string): Promise<Claims> {
  try {
    const { payload } = await compactVerify(
      idToken,
      async ({ kid, alg }) =>
        (await keys.find(jwksUri, { kid, alg: alg === 'ES256' ? 'ES256' : 'RS256' })) ??
        refuse('kid'),
      // Nothing that a public key, or no key at all, could make.
      { algorithms: ['RS256', 'ES256'] },
    )
    return readClaims(payload)
  } catch (error) {
    if (error instanceof errors.JOSEError) refuse('signature')
    throw error
  }
}

function readClaims(payload: Uint8Array): Claims {
  try {
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    return typeof claims === 'object' && claims !== null ? { ...claims } : refuse('payload')
  } catch {
    return refuse('payload')
  }
}

function checkIssuer({ iss }: Claims, { issuers }: ExpectedIdToken) {
  if (typeof iss !== 'string' || !issuers.includes(iss)) refuse('iss')
}

function checkAudience({ aud, azp }: Claims, { audiences }: ExpectedIdToken) {
  const isOurs = (audience: unknown) =>
    typeof audience === 'string' && audience !== '' && audiences.includes(audience)
  const all: unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!all.some(isOurs)) refuse('aud')
  if (azp !== undefined && !isOurs(azp)) refuse('azp')
  // For others too, and handed out by any of them: what they can be given, they could sign in here with.
  if (azp === undefined && !all.every(isOurs)) refuse('azp')
}

function checkTimes({ exp, iat, nbf = 0 }: Claims, now: number) {
  if (typeof exp !== 'number' || exp <= now) refuse('exp')
  if (typeof iat !== 'number' || iat > now + skewSeconds) refuse('iat')
  if (typeof nbf !== 'number' || nbf > now + skewSeconds) refuse('nbf')
}

function readSubject(sub: unknown) {
  // The words are what a careless provider makes of nobody: everybody would share that account.
  const isSubject = typeof sub === 'string' && /^[\x21-\x7e]{1,255}$/.test(sub)
  return isSubject && sub !== 'null' && sub !== 'undefined' ? sub : refuse('sub')
}
