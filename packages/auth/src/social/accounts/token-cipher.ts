import { decrypt, decryptLegacy, encrypt } from '../../crypto/cipher.ts'
import { type Keyring, UnreadableSecretError } from '../../crypto/keyring.ts'
import {
  configuredTokenCipher,
  type TokenContext,
} from '../../providers/configure-oauth-token-cipher.ts'
import type { SocialNeeds } from '../held.ts'

const noKeys: Keyring = { activeKeyId: '', keys: new Map() }

// Without it, what an application has encrypted could not be told from a token that is stored as it is.
const byApplication = 'enc:app:'

const boundTo = ({ provider, providerUserId, tokenType }: TokenContext) => [
  provider,
  providerUserId,
  tokenType,
]

/** A token as it may be stored. Null where there is nothing to encrypt it with. */
export async function sealToken(
  { keyring }: SocialNeeds<'keyring'>,
  token: string,
  context: TokenContext,
) {
  const cipher = configuredTokenCipher()
  if (cipher) return `${byApplication}${await cipher.encrypt(token, context)}`
  return keyring && encrypt(keyring, token, boundTo(context))
}

/** `isStale` where it is to be encrypted anew: with an older key, in an older form, or not yet. */
export async function openToken(
  { keyring }: SocialNeeds<'keyring'>,
  stored: string,
  context: TokenContext,
) {
  const cipher = configuredTokenCipher()
  if (!stored.startsWith(byApplication)) {
    const { plaintext, isStale } = openOwn(keyring ?? noKeys, stored, context)
    return { plaintext, isStale: isStale || cipher !== null }
  }
  if (cipher) {
    const encrypted = stored.slice(byApplication.length)
    return { plaintext: await cipher.decrypt(encrypted, context), isStale: false }
  }
  throw new UnreadableSecretError('configureOAuthTokenCipher has encrypted it, and is not set now.')
}

function openOwn(keyring: Keyring, stored: string, context: TokenContext) {
  if (!stored.startsWith('enc:')) return { plaintext: stored, isStale: true }
  if (!stored.startsWith('enc:v1:')) return decrypt(keyring, stored, boundTo(context))
  return { plaintext: decryptLegacy(keyring, stored), isStale: true }
}
