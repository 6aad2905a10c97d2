import type { Tx } from '@svc/core'
import type { LockedAccount } from '../../accounts/lock-account.ts'
import type { NewDeviceKey } from '../../capability/key-fields.ts'
import { hashToken, newToken } from '../../crypto/token.ts'
import { displayText } from '../../display-text.ts'
import { CallbackError } from './callback-failure.ts'
import type { OAuthState } from './state.ts'
import { putPending } from './store.ts'

// From the callback to the page that finalizes: a redirect, and a page that loads.
export const pendingMillis = 5 * 60_000

interface Arrived {
  account: LockedAccount
  isNewUser: boolean
  state: Pick<OAuthState, 'provider' | 'returnUrl' | 'key'>
  now: Date
}

/** A key that was sent ahead is known by its id; it has to sign, so that its id need not be a secret. */
export const hashOfKey = (keyId: string) => hashToken(`key ${keyId}`)

/**
 * Keeps who has come back until the page behind the callback finalizes. Answers the secret that a browser without a key
 * does it with, and null where the key signs for it.
 */
export async function waitForFinalize(tx: Tx, { account, isNewUser, state, now }: Arrived) {
  const { provider, returnUrl, key } = state
  const token = newToken()
  const row = {
    hash: key ? hashOfKey(key.keyId) : hashToken(token),
    userId: account.userId,
    generation: account.generation,
    provider,
    isNewUser,
    ...columnsOf(key),
    returnUrl,
    expiresAt: new Date(now.getTime() + pendingMillis),
  }
  // Somebody else waits with a key of that id.
  if (!(await putPending(tx, row, now))) throw new CallbackError('state_invalid')
  return key ? null : token
}

function columnsOf(key: NewDeviceKey | null) {
  return {
    publicKey: key?.publicKey ?? null,
    keyId: key?.keyId ?? null,
    fingerprint: key?.fingerprint ?? null,
    algorithm: key?.algorithm ?? null,
    deviceName: displayText(key?.deviceName, 64),
    platform: key?.platform ?? null,
  }
}
