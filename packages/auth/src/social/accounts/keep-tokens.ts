import type { ProviderTokens } from '../../openid/provider.ts'
import type { TokenContext } from '../../providers/configure-oauth-token-cipher.ts'
import type { SocialNeeds } from '../held.ts'
import type { Elsewhere, KeptTokens, SocialAccountRow } from './store.ts'
import { openToken, sealToken } from './token-cipher.ts'
import { resealAccessToken } from './token-store.ts'

const contextOf = (
  { provider, providerUserId }: Elsewhere,
  tokenType: TokenContext['tokenType'],
): TokenContext => ({ provider, providerUserId, tokenType })

/** What a provider has given, as it may be stored. Null where there is nothing that it could be kept with. */
export async function keepTokens(
  auth: SocialNeeds<'keyring' | 'clock'>,
  elsewhere: Elsewhere,
  { accessToken, refreshToken, expiresInSeconds }: ProviderTokens,
): Promise<KeptTokens | null> {
  const sealed = await sealToken(auth, accessToken, contextOf(elsewhere, 'access'))
  if (sealed === null) return null
  return {
    accessToken: sealed,
    refreshToken:
      refreshToken === undefined
        ? null
        : await sealToken(auth, refreshToken, contextOf(elsewhere, 'refresh')),
    accessTokenExpiresAt:
      expiresInSeconds === undefined
        ? null
        : new Date(auth.clock.now().getTime() + expiresInSeconds * 1000),
  }
}

/** A token of a link as it is stored: what it says, and whether it is to be encrypted anew. Null for none. */
export async function openKept(
  auth: SocialNeeds<'keyring'>,
  link: SocialAccountRow,
  tokenType: TokenContext['tokenType'],
) {
  const stored = tokenType === 'access' ? link.accessToken : link.refreshToken
  return stored === null ? null : openToken(auth, stored, contextOf(link, tokenType))
}

/** The access token that is kept, or null. What an older key has encrypted, or none, is encrypted anew. */
export async function readAccessToken(auth: SocialNeeds<'db' | 'keyring'>, link: SocialAccountRow) {
  const opened = await openKept(auth, link, 'access')
  if (!opened) return null
  const { plaintext, isStale } = opened
  const sealed = isStale ? await sealToken(auth, plaintext, contextOf(link, 'access')) : null
  if (sealed !== null) await resealAccessToken(auth.db, link, sealed)
  return plaintext
}
