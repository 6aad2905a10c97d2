import type { Clock } from '@svc/core'
import { compactVerify, errors } from 'jose'
import {
  type AuthorizationRequest,
  type CodeExchange,
  type ProviderIdentity,
  ProviderRefusalError,
  type ProviderTokens,
} from '../provider.ts'
import type { WebClient } from '../provider-settings.ts'
import type { ProviderMetadata } from './discovery.ts'
import type { KeySets } from './key-sets.ts'

export { askProvider, isProviderAddress, ProviderUnavailableError } from './ask-provider.ts'
export { createDiscovery, type Discover, type EndpointName } from './discovery.ts'
export {
  createKeySets,
  type KeySets,
  keysOfSet,
  type PublishedKey,
  pickKey,
  type SigningAlgorithm,
  type WantedKey,
} from './key-sets.ts'

/** What an id token must contain. */
interface ExpectedIdToken {
  readonly issuers: readonly string[]
  readonly audiences: readonly string[]
  /** As it is in the token. */
  readonly nonce: string
  readonly jwksUri: string
}

interface IdTokenClaims {
  readonly sub: string
  readonly [claim: string]: unknown
}

const longestToken = 16 * 1024
const skewSeconds = 60

/**
 * The claims of an id token that a provider has signed for us, recently, for this nonce (OpenID
 * Connect Core 3.1.3.7).
 */
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
  // Without an expected nonce, a token without one must not match.
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
      // No algorithm for which a public key, or no key at all, would be enough.
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
  // A token for several audiences could come from any of them, and they could sign in here with the
  // tokens they get.
  if (azp === undefined && !all.every(isOurs)) refuse('azp')
}

function checkTimes({ exp, iat, nbf = 0 }: Claims, now: number) {
  if (typeof exp !== 'number' || exp <= now) refuse('exp')
  if (typeof iat !== 'number' || iat > now + skewSeconds) refuse('iat')
  if (typeof nbf !== 'number' || nbf > now + skewSeconds) refuse('nbf')
}

function readSubject(sub: unknown) {
  // A careless provider sends these words for a missing user: all of them would share that account.
  const isSubject = typeof sub === 'string' && /^[\x21-\x7e]{1,255}$/.test(sub)
  return isSubject && sub !== 'null' && sub !== 'undefined' ? sub : refuse('sub')
}

/** The user, from the standard claims of an id token. */
export function claimedIdentity(claims: IdTokenClaims): ProviderIdentity {
  const { sub, email, name } = claims
  const hasEmail = typeof email === 'string' && email !== ''
  return {
    providerUserId: sub,
    ...(hasEmail && { email }),
    isEmailVerified: hasEmail && claims['email_verified'] === true,
    ...(typeof name === 'string' && name !== '' && { name }),
  }
}

/** The page that signs a browser in (OpenID Connect Core 3.1.2.1), with PKCE. */
export function openIdUrl(
  endpoint: string,
  { clientId, scopes }: Pick<WebClient, 'clientId' | 'scopes'>,
  { redirectUri, state, nonce, codeChallenge }: AuthorizationRequest,
) {
  const url = new URL(endpoint)
  url.searchParams.set('response_type', 'code')
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('redirect_uri', redirectUri)
  // Without `openid` there would be no id token.
  url.searchParams.set('scope', [...new Set(['openid', ...scopes])].join(' '))
  url.searchParams.set('state', state)
  url.searchParams.set('nonce', nonce)
  url.searchParams.set('code_challenge', codeChallenge)
  url.searchParams.set('code_challenge_method', 'S256')
  return url
}

/**
 * The fields that redeem a code (RFC 6749, 4.1.3; RFC 7636, 4.5). The client's credentials are
 * added to them.
 */
export function codeForm({ code, codeVerifier, redirectUri }: CodeExchange) {
  return {
    grant_type: 'authorization_code',
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  }
}

export function refreshForm(refreshToken: string) {
  return { grant_type: 'refresh_token', refresh_token: refreshToken }
}

export function idTokenOf({ idToken }: ProviderTokens) {
  if (idToken !== undefined) return idToken
  throw new ProviderRefusalError('The provider gave no id token')
}

interface Client {
  readonly clientId: string
  readonly clientSecret: string | undefined
}

/** How the server authenticates at a token endpoint (RFC 6749, 2.3.1). */
export function clientProof(metadata: ProviderMetadata, { clientId, clientSecret }: Client) {
  if (clientSecret === undefined) return { form: { client_id: clientId }, headers: {} }
  const methods = metadata.tokenEndpointAuthMethods
  // If none is published, it is `client_secret_basic` (OpenID Connect Discovery 1.0, 3).
  if (methods.length > 0 && !methods.includes('client_secret_basic')) {
    return { form: { client_id: clientId, client_secret: clientSecret }, headers: {} }
  }
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  return { form: {}, headers: { authorization } }
}

function formEncoded(value: string) {
  return new URLSearchParams({ '': value }).toString().slice(1)
}
