import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { RecoveryCodeHash } from './recovery-codes.ts'
import { recoveryCodes } from './schema.ts'

const unused = (userId: string) =>
  and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))

export function countRecoveryCodes(db: Db, userId: string) {
  return db.$count(recoveryCodes, unused(userId))
}

interface Hashed {
  hash: RecoveryCodeHash
  keyId: string
}

/** In the place of those before, used or not. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, hashed: readonly Hashed[]) {
  await deleteRecoveryCodes(tx, userId)
  const rows = hashed.map(({ hash, keyId }) => ({ hash, userId, ringKeyId: keyId }))
  await tx.insert(recoveryCodes).values(rows)
}

export async function deleteRecoveryCodes(tx: Tx, userId: string) {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** The keys of the keyring that the codes of an account were hashed under. */
export async function ringKeysOf(db: Db, userId: string) {
  const found = await db
    .selectDistinct({ ringKeyId: recoveryCodes.ringKeyId })
    .from(recoveryCodes)
    .where(unused(userId))
  return found.map(({ ringKeyId }) => ringKeyId)
}

/** unused → used. False when none of them is a code of the account, or it was used. */
export async function useRecoveryCode(
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
