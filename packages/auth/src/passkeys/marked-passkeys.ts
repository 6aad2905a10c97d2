import type { Db, Tx } from '@svc/core'
import { and, eq } from 'drizzle-orm'
import type { FreshAccount } from '../accounts/entitled-account.ts'
import { passkeys } from './schema.ts'
import { canSign } from './signing-passkeys.ts'
import { own } from './store.ts'

const marked = (userId: string) => and(eq(passkeys.userId, userId), eq(passkeys.secondFactor, true))

/** The passkeys of an account that count as its second factor. */
export async function markedPasskeysOf(db: Db, userId: string) {
  return (await db.select().from(passkeys).where(marked(userId))).filter(canSign)
}

interface Mark {
  passkeyId: string
  secondFactor: boolean
}

/** Whether it was changed by this; null when the account has no such passkey, or none that could prove anything. */
export async function markPasskey(
  tx: Tx,
  { userId }: FreshAccount,
  { secondFactor, passkeyId }: Mark,
) {
  const passkey = { userId, passkeyId }
  const [found] = await tx.select().from(passkeys).where(own(passkey))
  if (!found || (secondFactor && !canSign(found))) return null
  const changed = await tx
    .update(passkeys)
    .set({ secondFactor })
    .where(and(own(passkey), eq(passkeys.secondFactor, !secondFactor)))
    .returning({ passkeyId: passkeys.passkeyId })
  return changed.length > 0
}

/** False when none was marked. They go on signing in. */
export async function unmarkPasskeysOf(tx: Tx, userId: string) {
  const unmarked = await tx
    .update(passkeys)
    .set({ secondFactor: false })
    .where(marked(userId))
    .returning({ passkeyId: passkeys.passkeyId })
  return unmarked.length > 0
}
