import { CompactEncrypt, compactDecrypt } from 'jose'
import type { NewDeviceKey } from '../../capability/fields.ts'
import { deriveKey } from '../../crypto/crypto.ts'
import type { LinkAsker } from '../accounts/accounts.ts'
import type { SocialNeeds } from '../held.ts'

/** What a browser carries to a provider and back, and neither of the two can read. */
export interface OAuthState {
  /** Each state is accepted once. */
  readonly id: string
  readonly provider: string
  readonly returnUrl: string
  /** The nonce in the cookie of the browser that set out. */
  readonly nonce: string
  readonly codeVerifier: string
  /** The nonce that the id token must contain. */
  readonly idTokenNonce: string
  /** The key that was sent ahead. */
  readonly key: NewDeviceKey | null
  readonly metadata: Record<string, unknown> | null
  /** Set if a signed-in user links a provider. */
  readonly linkTo: LinkAsker | null
  readonly expiresAtMillis: number
}

export const stateMillis = 10 * 60_000

/** A separate key, so that no other token of the service is a state, and no state another token. */
export function stateKey(secret: string) {
  return deriveKey(secret, 'oauth state')
}

export function sealState({ stateKey: key }: SocialNeeds<'stateKey'>, state: OAuthState) {
  return new CompactEncrypt(Buffer.from(JSON.stringify(state)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key)
}

const algorithms = {
  keyManagementAlgorithms: ['dir'],
  contentEncryptionAlgorithms: ['A256GCM'],
}

/** Null unless we have sealed it. */
export async function openState({ stateKey: key }: SocialNeeds<'stateKey'>, sealed: string) {
  try {
    const { plaintext } = await compactDecrypt(sealed, key, algorithms)
    // Only this server can have written it.
    return JSON.parse(new TextDecoder().decode(plaintext)) as OAuthState
  } catch {
    return null
  }
}
