import type { Tx } from '@svc/core'
import { and, eq, gte, ne, sql } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'
import { inState } from './store.ts'

interface Proof {
  userId: string
  keyId: string
  now: Date
}

/** The second factor was proved on this device, now. False when its key signs no more. */
export async function noteProof(tx: Tx, { now, ...key }: Proof) {
  const noted = await tx
    .update(deviceKeys)
    .set({ secondFactorProvedAt: now })
    .where(inState(key, 'active'))
    .returning({ keyId: deviceKeys.keyId })
  return noted.length === 1
}

/** Notes that the user gave a fresh proof on this device now, without a sign-in. False if its key has ended. */
export async function noteRecentProof(tx: Tx, { now, ...key }: Proof) {
  const noted = await tx
    .update(deviceKeys)
    .set({ authenticatedAt: sql`greatest(${deviceKeys.authenticatedAt}, ${now})` })
    .where(and(inState(key, 'active'), eq(deviceKeys.kind, 'device')))
    .returning({ keyId: deviceKeys.keyId })
  return noted.length === 1
}

/** Whether this device's proof of the second factor is still valid. */
export async function isProofKept(
  tx: Tx,
  { provedAt, ...key }: Omit<Proof, 'now'> & { provedAt: Date },
) {
  const kept = and(inState(key, 'active'), gte(deviceKeys.secondFactorProvedAt, provedAt))
  return (await tx.$count(deviceKeys, kept)) > 0
}

/** Voids the second-factor proofs of all devices of the account except one. */
export async function forgetProofs(tx: Tx, userId: string, except: string | null = null) {
  await tx
    .update(deviceKeys)
    .set({ secondFactorProvedAt: null })
    .where(and(eq(deviceKeys.userId, userId), ne(deviceKeys.keyId, except ?? '')))
}
