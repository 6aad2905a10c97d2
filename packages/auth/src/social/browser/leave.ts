import { createHash } from 'node:crypto'
import { NotFoundError, type RawContext, ServiceUnavailableError, ValidationError } from '@svc/core'
import { isOwnPath } from '@svc/core/client'
import { refuseLargeMetadata } from '../../accounts/accounts.ts'
import type { NewDeviceKey } from '../../capability/fields.ts'
import { newToken } from '../../crypto/crypto.ts'
import { checkNewKey } from '../../keys/keys.ts'
import {
  type AuthorizationRequest,
  inTime,
  type OAuthProvider,
  redirectUriOf,
} from '../../providers/providers.ts'
import { WebSignInUnsupportedError } from '../errors.ts'
import type { SocialNeeds } from '../held.ts'
import type { Departure } from './contract.ts'
import { nonceCookies } from './cookies.ts'
import { type OAuthState, sealState, stateMillis } from './state.ts'

interface Leaving extends Departure {
  raw: RawContext
  provider: string
  linkTo?: OAuthState['linkTo']
}

/**
 * The page of the provider, and the cookies by which the callback recognises the browser if no
 * proxy has set one.
 */
export async function leave(auth: DepartNeeds & SocialNeeds<'env'>, leaving: Leaving) {
  const { raw, provider, metadata = null } = leaving
  refuseLargeMetadata(metadata, 'state')
  const nonce = leaving.nonce ?? newToken()
  const authUrl = await authorizationUrl(auth, {
    provider,
    nonce,
    returnUrl: readReturnUrl(leaving.returnUrl),
    key: readLaterKey(leaving),
    metadata,
    linkTo: leaving.linkTo ?? null,
  })
  const cookie = leaving.nonce === undefined && { 'set-cookie': nonceCookies(raw, auth, nonce) }
  return { authUrl, headers: { 'cache-control': 'no-store', ...cookie } }
}

type Going = Pick<OAuthState, 'returnUrl' | 'key' | 'metadata' | 'linkTo'> & {
  provider: string
  nonce: string
}

type DepartNeeds = SocialNeeds<
  'clock' | 'log' | 'providers' | 'stateKey' | 'redirectUris' | 'appUrl'
>

/** The page of the provider, with everything that the callback needs sealed in the state. */
async function authorizationUrl(auth: DepartNeeds, going: Going) {
  const provider = requireWebProvider(auth, going.provider)
  const codeVerifier = newToken()
  const idTokenNonce = newToken()
  const state = await sealState(auth, {
    ...going,
    id: newToken(),
    codeVerifier,
    idTokenNonce,
    expiresAtMillis: auth.clock.now().getTime() + stateMillis,
  })
  return ask(auth, provider, {
    redirectUri: redirectUriOf(auth, provider.id),
    state,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    nonce: idTokenNonce,
  })
}

/** Some providers need a request for the address of their page. */
async function ask(
  { log }: SocialNeeds<'log'>,
  provider: OAuthProvider,
  request: AuthorizationRequest,
) {
  try {
    return await inTime(async () => provider.getAuthUrl(request))
  } catch (error) {
    log.warn({ err: error }, 'a provider cannot be reached')
    throw new ServiceUnavailableError()
  }
}

type LaterKey = Pick<
  Departure,
  'publicKey' | 'keyId' | 'fingerprint' | 'algorithm' | 'deviceName' | 'platform'
>

/** A key that may be given now or later: all of it, validated, or null. */
export function readLaterKey(given: LaterKey): NewDeviceKey | null {
  const { publicKey, keyId, fingerprint, algorithm, deviceName, platform } = given
  const material = [publicKey, keyId, fingerprint, algorithm]
  if (material.every((part) => part === undefined)) return null
  if (!publicKey || !keyId || !fingerprint || !algorithm) throw incomplete()
  const display = { ...(deviceName && { deviceName }), ...(platform && { platform }) }
  const key = { publicKey, keyId, fingerprint, algorithm, ...display }
  checkNewKey(key)
  return key
}

function incomplete() {
  const message = 'Send publicKey, keyId, fingerprint and algorithm together, or none of them.'
  return new ValidationError({ fields: [{ path: 'body.publicKey', message }] })
}

/** A path of the web app, so that a sign-in never leads elsewhere. */
export function readReturnUrl(given: string) {
  if (isOwnPath(given) && given.isWellFormed()) return given
  const message = 'Enter a path inside the app, such as /welcome.'
  throw new ValidationError({ fields: [{ path: 'body.returnUrl', message }] })
}

export function requireProvider(
  { providers }: SocialNeeds<'providers'>,
  id: string,
): OAuthProvider {
  const provider = providers.find(id)
  if (!provider) throw new NotFoundError({ resource: 'provider' })
  return provider
}

/** A provider to which this server can send browsers. */
export function requireWebProvider(auth: SocialNeeds<'providers'>, id: string): OAuthProvider {
  const provider = requireProvider(auth, id)
  if (!provider.web) throw new WebSignInUnsupportedError()
  return provider
}
