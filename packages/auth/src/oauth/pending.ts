import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { hashToken, newToken } from '../crypto/token.ts'
import type { NewDeviceKey } from '../keys/contract.ts'
import type { OAuthState } from './state.ts'
import { putPending } from './store.ts'

// From the callback to the page that finalizes: a redirect, and a page that loads.
export const pendingMillis = 5 * 60_000

interface Arrived {
  account: LockedAccount
  isNewUser: boolean
  state: OAuthState
  now: Date
}

/** A key that was sent ahead is known by its id; it has to sign, so that its id need not be a secret. */
export const hashOfKey = (keyId: string) => hashToken(`key ${keyId}`)

/**
 * Keeps who has come back until the page behind the callback finalizes. Answers the secret that a browser without a key
 * does it with. Undefined where a sign-in waits with that key already.
 */
export async function waitForFinalize(tx: Tx, { account, isNewUser, state, now }: Arrived) {
  const { provider, returnUrl, key } = state
  const token = key ? null : newToken()
  const { userId, generation } = account
  const isPut = await putPending(tx, {
    hash: token === null ? hashOfKey(key?.keyId ?? '') : hashToken(token),
    userId,
    generation,
    provider,
    isNewUser,
    ...columnsOf(key),
    returnUrl,
    expiresAt: new Date(now.getTime() + pendingMillis),
  })
  return isPut ? token : undefined
}

function columnsOf(key: NewDeviceKey | null) {
  return {
    publicKey: key?.publicKey ?? null,
    keyId: key?.keyId ?? null,
    fingerprint: key?.fingerprint ?? null,
    algorithm: key?.algorithm ?? null,
    deviceName: key?.deviceName ?? null,
    platform: key?.platform ?? null,
  }
}
