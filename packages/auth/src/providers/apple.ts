import { createHash } from 'node:crypto'
import type { ProviderNeeds } from './code-flow.ts'
import { claimedIdentity, verifyIdToken } from './openid/openid.ts'
import type { OAuthProvider } from './provider.ts'

/** https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple */
export function createAppleProvider({
  settings,
  endpoints,
  keys,
  clock,
}: ProviderNeeds): OAuthProvider {
  const { nativeAudiences } = settings

  async function verifyNativeIdToken(idToken: string, given: { nonce: string }) {
    const { issuer, jwksUri } = await endpoints.apple()
    // The app asks Apple for a token that is bound to the hash, and sends us the value before
    // hashing.
    const nonce = createHash('sha256').update(given.nonce).digest('hex')
    const expected = { issuers: [issuer], audiences: nativeAudiences, nonce, jwksUri }
    const claims = await verifyIdToken({ keys, clock }, idToken, expected)
    // Apple's documentation has it as text or as a boolean.
    const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true'
    return claimedIdentity({ ...claims, email_verified: isVerified })
  }

  return {
    id: 'apple',
    issuer: endpoints.issuers.apple,
    getAuthUrl: refuseWeb,
    exchangeCode: refuseWeb,
    getIdentity: refuseWeb,
    ...(nativeAudiences.length > 0 && { verifyNativeIdToken }),
  }
}

function refuseWeb(): never {
  throw new Error('Apple signs in from apps only')
}
