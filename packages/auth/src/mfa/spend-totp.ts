import type { Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import { requireKeyring } from './require-keyring.ts'
import { matchingStep } from './totp.ts'
import { openSecret, sealSecret } from './totp-secret.ts'
import { findConfirmedTotp, spendStep } from './totp-store.ts'

/** False when the code is wrong, or it or a later one was accepted before. */
export async function spendTotp(
  tx: Tx,
  auth: Needs<'keyring'>,
  { userId, code, now }: { userId: string; code: string; now: Date },
) {
  const stored = await findConfirmedTotp(tx, userId)
  if (!stored) return false
  const keyring = requireKeyring(auth)
  const { plaintext, isStale } = openSecret(keyring, userId, stored.secret)
  const step = matchingStep(plaintext, code, now)
  if (step === null) return false
  const sealed = isStale ? sealSecret(keyring, userId, plaintext) : stored.secret
  return spendStep(tx, { userId, secret: stored.secret, step, sealed })
}
