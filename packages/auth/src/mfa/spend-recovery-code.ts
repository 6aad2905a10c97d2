import type { Tx } from '@svc/core'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { securityPage } from '../notices/security-page.ts'
import { sendNotice } from '../notices/send-notice.ts'
import { countRecoveryCodes, ringKeysOf, useRecoveryCode } from './recovery-code-store.ts'
import { hashRecoveryCode, readRecoveryCode } from './recovery-codes.ts'
import { requireKeyring } from './require-keyring.ts'

export type ProveNeeds = Needs<'env' | 'appUrl' | 'notifier' | 'log' | 'keyring'>

interface Typed {
  userId: string
  typed: string
  origin: RequestOrigin
  now: Date
}

/** False when it is no code of the account, or was used. */
export async function spendRecoveryCode(tx: Tx, auth: ProveNeeds, spending: Typed) {
  const { userId, typed, now } = spending
  const code = readRecoveryCode(typed)
  if (code === null) return false
  const hashes = await hashesOf(tx, auth, { userId, code })
  if (!(await useRecoveryCode(tx, { userId, hashes, now }))) return false
  await tellOfUse(tx, auth, spending)
  return true
}

/** The rows say which key of the keyring they were hashed under. */
async function hashesOf(tx: Tx, auth: ProveNeeds, of: { userId: string; code: string }) {
  const ringKeys = await ringKeysOf(tx, of.userId)
  return ringKeys.map((keyId) => hashRecoveryCode(requireKeyring(auth), { ...of, keyId }).hash)
}

async function tellOfUse(tx: Tx, auth: ProveNeeds, { userId, origin, now }: Typed) {
  const remaining = await countRecoveryCodes(tx, userId)
  const by = { actor: userId, target: userId, origin, at: now }
  await recordAudit(tx, { act: 'mfa.recovery_code_used', ...by, details: { remaining } })
  const facts = { remaining, at: now.toISOString(), url: securityPage(auth) }
  await sendNotice(tx, auth, { userId, template: 'recovery-code-used', facts })
}
