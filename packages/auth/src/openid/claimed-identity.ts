import type { IdTokenClaims } from './id-token.ts'
import type { ProviderIdentity } from './provider.ts'

/** Whom the standard claims of an id token are about. */
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
