import type { Needs } from '../auth.ts'
import { encrypt } from '../crypto/cipher.ts'
import type { ProviderTokens } from '../providers/provider.ts'
import type { Elsewhere, KeptTokens } from './store.ts'

/** What a provider has given, as it may be stored. Without a key there is nothing that it could be kept with. */
export async function keepTokens(
  { keyring, clock }: Needs<'keyring' | 'clock'>,
  { provider, providerUserId }: Elsewhere,
  { accessToken, refreshToken, expiresInSeconds }: ProviderTokens,
): Promise<KeptTokens | null> {
  if (!keyring) return null
  const seal = (text: string, type: string) =>
    encrypt(keyring, text, [provider, providerUserId, type])
  return {
    accessToken: seal(accessToken, 'access'),
    refreshToken: refreshToken === undefined ? null : seal(refreshToken, 'refresh'),
    accessTokenExpiresAt:
      expiresInSeconds === undefined
        ? null
        : new Date(clock.now().getTime() + expiresInSeconds * 1000),
  }
}
