import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import { mailedLinks } from './schema.ts'

/** For an account that goes. Its address is in them. */
export async function forgetLinksOf(tx: Tx, userId: string) {
  await tx.delete(mailedLinks).where(eq(mailedLinks.userId, userId))
}
