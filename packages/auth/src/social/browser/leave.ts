import type { RawContext } from '@svc/core'
import { refuseLargeMetadata } from '../../accounts/metadata.ts'
import { newToken } from '../../crypto/token.ts'
import type { SocialNeeds } from '../held.ts'
import { authorizationUrl, type DepartNeeds } from './depart.ts'
import { readLaterKey } from './later-key.ts'
import { nonceCookies } from './nonce-cookie.ts'
import type { Departure } from './operations.ts'
import { readReturnUrl } from './return-url.ts'
import type { OAuthState } from './state.ts'

interface Leaving extends Departure {
  raw: RawContext
  provider: string
  linkTo?: OAuthState['linkTo']
}

/** The page of the provider, and the cookies that the callback knows the browser by where no proxy has set it. */
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
