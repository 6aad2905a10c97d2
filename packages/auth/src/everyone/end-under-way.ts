import type { Db } from '@svc/core'
import { forgetEveryCode } from '../codes/forget-codes.ts'
import { refuseEveryWaiting } from '../device/refuse-waiting.ts'
import { voidEveryToken } from '../invitations/void-every-token.ts'
import { endEveryLink } from '../links/forget-links.ts'
import { deleteEveryChallenge } from '../mfa/forget-factors.ts'
import { forgetEveryToken } from '../one-time-token/forget-tokens.ts'
import { forgetEveryChallenge } from '../passkeys/forget-passkeys.ts'
import { forgetEveryPending } from '../social/browser/forget-pending.ts'

/**
 * Ends everything that could still lead to a sign-in, with or without an account: mailed links and codes, codes on a
 * screen, half-done sign-ins. Each in a statement of its own, so that none waits for a row while it holds another.
 */
export async function endUnderWay(db: Db, now: Date) {
  const links = await endEveryLink(db, now)
  const invitations = await voidEveryToken(db, now)
  const codes = await forgetEveryCode(db)
  const waitingDevices = await refuseEveryWaiting(db, now)
  // Sign-ins that wait for a second factor, for a passkey, or for a provider.
  const ofFactors = await deleteEveryChallenge(db)
  const ofPasskeys = await forgetEveryChallenge(db)
  const signIns = ofFactors + ofPasskeys + (await forgetEveryPending(db))
  // At most half a minute old, and useless without its key.
  await forgetEveryToken(db)
  return { links, invitations, codes, waitingDevices, signIns }
}
