import type { Tx } from '@svc/core'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { replaceRecoveryCodes } from './recovery-code-store.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { requireKeyring } from './require-keyring.ts'

/** Ten fresh codes. Those before stop working, and nobody is shown these again. */
export async function issueRecoveryCodes(
  tx: Tx,
  auth: Needs<'keyring'>,
  { userId, origin, now }: { userId: string; origin: RequestOrigin; now: Date },
) {
  const keyring = requireKeyring(auth)
  const codes = newRecoveryCodes()
  const hashed = codes.map((code) => hashRecoveryCode(keyring, { userId, code }))
  await replaceRecoveryCodes(tx, userId, hashed)
  const by = { actor: userId, target: userId, origin, at: now }
  await recordAudit(tx, { act: 'mfa.recovery_codes_made', ...by })
  return codes
}
