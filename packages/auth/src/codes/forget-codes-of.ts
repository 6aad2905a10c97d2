import type { Tx } from '@svc/core'
import { and, eq } from 'drizzle-orm'
import type { Identifier } from '../accounts/identifier.ts'
import { verificationCodes } from './schema.ts'

/** For an account that goes. */
export async function forgetCodesOf(tx: Tx, { type, value }: Identifier) {
  const { targetType, target } = verificationCodes
  await tx.delete(verificationCodes).where(and(eq(targetType, type), eq(target, value)))
}
