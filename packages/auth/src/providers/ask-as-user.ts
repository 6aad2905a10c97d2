import { askProvider, ProviderUnavailableError } from '../openid/ask-provider.ts'
import { type ProviderIdentity, ProviderRefusalError } from '../openid/provider.ts'

/** Asks for what a token gives access to. */
export function askAsUser(address: string, accessToken: string) {
  // An app may have sent anything, and this goes into a header.
  if (!/^[\x21-\x7e]{1,8192}$/.test(accessToken)) {
    throw new ProviderRefusalError('The access token is none')
  }
  return askProvider(address, { headers: { authorization: `Bearer ${accessToken}` } })
}

/**
 * Whose access token an app has sent beside the id token of `sub`. Null for somebody else's, and where the provider
 * does not say: then it is as if none was sent.
 */
export async function ownIdentity(sub: string, lookUp: () => Promise<ProviderIdentity>) {
  try {
    const identity = await lookUp()
    return identity.providerUserId === sub ? identity : null
  } catch (error) {
    const isExpected =
      error instanceof ProviderRefusalError || error instanceof ProviderUnavailableError
    if (isExpected) return null
    throw error
  }
}
