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

/** What signs in was proved on this device, now, without another sign-in. False when its key signs no more. */
export async function noteRecentProof(tx: Tx, { now, ...key }: Proof) {
  const noted = await tx
    .update(deviceKeys)
    .set({ authenticatedAt: sql`greatest(${deviceKeys.authenticatedAt}, ${now})` })
    .where(and(inState(key, 'active'), eq(deviceKeys.kind, 'device')))
    .returning({ keyId: deviceKeys.keyId })
  return noted.length === 1
}

/** Whether nothing has voided what this device has proved of the second factor. */
export async function isProofKept(
  tx: Tx,
  { provedAt, ...key }: Omit<Proof, 'now'> & { provedAt: Date },
) {
  const kept = and(inState(key, 'active'), gte(deviceKeys.secondFactorProvedAt, provedAt))
  return (await tx.$count(deviceKeys, kept)) > 0
}

/** No device of the account but one has proved its second factor any more. */
export async function forgetProofs(tx: Tx, userId: string, except: string | null = null) {
  await tx
    .update(deviceKeys)
    .set({ secondFactorProvedAt: null })
    .where(and(eq(deviceKeys.userId, userId), ne(deviceKeys.keyId, except ?? '')))
}
