import type { Tx } from '@svc/core'
import { and, eq, ne } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'
import { inState } from './store.ts'

/** The second factor was proved on this device, now. False when its key signs no more. */
export async function noteProof(
  tx: Tx,
  { now, ...key }: { userId: string; keyId: string; now: Date },
) {
  const noted = await tx
    .update(deviceKeys)
    .set({ secondFactorProvedAt: now })
    .where(inState(key, 'active'))
    .returning({ keyId: deviceKeys.keyId })
  return noted.length === 1
}

/** No device of the account has proved its second factor any more, but for one that is spared. */
export async function forgetProofs(tx: Tx, userId: string, spare: string | null = null) {
  await tx
    .update(deviceKeys)
    .set({ secondFactorProvedAt: null })
    .where(and(eq(deviceKeys.userId, userId), ne(deviceKeys.keyId, spare ?? '')))
}
