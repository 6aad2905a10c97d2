import { randomInt } from 'node:crypto'
import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import { deriveKey, type Keyring, keyedHash, keyOf, userCodeAlphabet } from '../crypto/crypto.ts'
import { lockSteppedUp } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'
import { MfaNotEnrolledError } from './errors.ts'
import { requireKeyring } from './keyring.ts'
import { recoveryCodes } from './schema.ts'

type RegenerateNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'keyring' | 'appUrl' | 'notifier' | 'log'
>

export async function mfaRegenerateRecoveryCodes(
  auth: RegenerateNeeds,
  { caller, origin }: { caller: Caller; origin: RequestOrigin },
) {
  const { userId } = caller
  requireKeyring(auth)
  await auth.limits.take('second factor change by account', userId)
  const now = auth.clock.now()
  return inTransaction(auth.db, async (tx) => {
    const account = await lockSteppedUp(tx, caller)
    if (!account.secondFactorSince) throw new MfaNotEnrolledError()
    const codes = await issueRecoveryCodes(tx, auth, { userId, origin, now })
    const facts = { at: now.toISOString(), url: securityPage(auth) }
    await sendNotice(tx, auth, { userId, template: 'recovery-codes-made', facts })
    return { recoveryCodes: codes }
  })
}

/** Makes ten new codes. The old ones stop working. The new ones are shown only this once. */
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

export type ProveNeeds = Needs<'env' | 'appUrl' | 'notifier' | 'log' | 'keyring'>

interface TypedCode {
  userId: string
  typed: string
  origin: RequestOrigin
  now: Date
}

/** False if the account has no such code, or it was used. */
export async function spendRecoveryCode(tx: Tx, auth: ProveNeeds, spending: TypedCode) {
  const { userId, typed, now } = spending
  const code = readRecoveryCode(typed)
  if (code === null) return false
  const hashes = await hashesOf(tx, auth, { userId, code })
  if (!(await useRecoveryCode(tx, { userId, hashes, now }))) return false
  await tellOfUse(tx, auth, spending)
  return true
}

/** The hashes of a code under each key of the keyring that the account's rows name. */
async function hashesOf(tx: Tx, auth: ProveNeeds, of: { userId: string; code: string }) {
  const ringKeys = await ringKeysOf(tx, of.userId)
  return ringKeys.map((keyId) => hashRecoveryCode(requireKeyring(auth), { ...of, keyId }).hash)
}

async function tellOfUse(tx: Tx, auth: ProveNeeds, { userId, origin, now }: TypedCode) {
  const remaining = await countRecoveryCodes(tx, userId)
  const by = { actor: userId, target: userId, origin, at: now }
  await recordAudit(tx, { act: 'mfa.recovery_code_used', ...by, details: { remaining } })
  const facts = { remaining, at: now.toISOString(), url: securityPage(auth) }
  await sendNotice(tx, auth, { userId, template: 'recovery-code-used', facts })
}

declare const isHashed: unique symbol

/**
 * The stored form of a recovery code. Stores accept this type only, so a plaintext code cannot
 * reach a row.
 */
export type RecoveryCodeHash = string & { readonly [isHashed]: true }

/** Ten different codes such as `k7qm2-xvh9p`: each is one way in without the authenticator app or the passkey. */
export function newRecoveryCodes() {
  const codes = new Set<string>()
  while (codes.size < 10) codes.add(newCode())
  return [...codes]
}

function newCode() {
  const letters = Array.from(
    { length: 10 },
    () => userCodeAlphabet[randomInt(userCodeAlphabet.length)],
  ).join('')
  return dashed(letters)
}

// Letters are those of ASCII: lower-casing would turn others, such as K for Kelvin, into one of
// them.
const tenLetters = /^[2-9A-HJKMNP-Za-hjkmnp-z]{10}$/

/**
 * A code as the user has typed it, in either case, with or without spaces and dashes. Null if it
 * can't be one.
 */
export function readRecoveryCode(typed: string) {
  const letters = typed.replaceAll(/[\s\p{Pd}]/gu, '')
  return tenLetters.test(letters) ? dashed(letters) : null
}

function dashed(letters: string) {
  const lower = letters.toLowerCase()
  return `${lower.slice(0, 5)}-${lower.slice(5)}`
}

interface Code {
  userId: string
  /** As `readRecoveryCode` returns it. */
  code: string
  /** The key that the stored hash was made under; the active one for a new code. */
  keyId?: string
}

/**
 * There are 31 to the power 10 codes, about 2^49. An attacker with a copy of the database could try
 * them all against a plain hash, but can't without the keyring.
 */
export function hashRecoveryCode(keyring: Keyring, { userId, code, keyId }: Code) {
  const under = keyId ?? keyring.activeKeyId
  const key = deriveKey(keyOf(keyring, under), 'recovery codes')
  // The only place that makes a `RecoveryCodeHash`.
  const hash = keyedHash(key, JSON.stringify([userId, code])) as RecoveryCodeHash
  return { keyId: under, hash }
}

const unused = (userId: string) =>
  and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))

export function countRecoveryCodes(db: Db, userId: string) {
  return db.$count(recoveryCodes, unused(userId))
}

interface Hashed {
  hash: RecoveryCodeHash
  keyId: string
}

/** Replaces the earlier ones, used or not. */
async function replaceRecoveryCodes(tx: Tx, userId: string, hashed: readonly Hashed[]) {
  await deleteRecoveryCodes(tx, userId)
  const rows = hashed.map(({ hash, keyId }) => ({ hash, userId, ringKeyId: keyId }))
  await tx.insert(recoveryCodes).values(rows)
}

export async function deleteRecoveryCodes(tx: Tx, userId: string) {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** The keys of the keyring that the codes of an account were hashed under. */
async function ringKeysOf(db: Db, userId: string) {
  const found = await db
    .selectDistinct({ ringKeyId: recoveryCodes.ringKeyId })
    .from(recoveryCodes)
    .where(unused(userId))
  return found.map(({ ringKeyId }) => ringKeyId)
}

/** unused → used. False if none of them is a code of the account, or it was used. */
async function useRecoveryCode(
  tx: Tx,
  { userId, hashes, now }: { userId: string; hashes: readonly RecoveryCodeHash[]; now: Date },
) {
  if (hashes.length === 0) return false
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(unused(userId), inArray(recoveryCodes.hash, [...hashes])))
    .returning({ hash: recoveryCodes.hash })
  return used.length === 1
}
