import type { Tx } from '@svc/core'
import { and, eq } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

/** The second factor was proved on this device, now. False when its key signs no more. */
export async function noteProof(
  tx: Tx,
  { userId, keyId, now }: { userId: string; keyId: string; now: Date },
) {
  const noted = await tx
    .update(deviceKeys)
    .set({ secondFactorProvedAt: now })
    .where(
      and(
        eq(deviceKeys.keyId, keyId),
        eq(deviceKeys.userId, userId),
        eq(deviceKeys.state, 'active'),
      ),
    )
    .returning({ keyId: deviceKeys.keyId })
  return noted.length === 1
}

/** No device of the account has proved its second factor any more. */
export async function forgetProofs(tx: Tx, userId: string) {
  await tx
    .update(deviceKeys)
    .set({ secondFactorProvedAt: null })
    .where(eq(deviceKeys.userId, userId))
}
