import type { Tx } from '@svc/core'
import { and, eq, inArray, or } from 'drizzle-orm'
import { type LinkPurpose, mailedLinks } from './schema.ts'

interface Ended {
  userId: string
  /** The address that the account leaves, where it had one. */
  from: string | null
  /** The address that it has from now on. */
  to: string
  /** All purposes of further capabilities. */
  purposes: readonly LinkPurpose[]
  now: Date
}

/**
 * What was mailed to the address that an account leaves, and whatever would open an account for the one it gets. Before
 * the account's row is written: whoever spends or issues one of these holds it, and waits for that row.
 */
export async function endLinksOf(tx: Tx, { userId, from, to, purposes, now }: Ended) {
  const subjects = from === null ? [to] : [from, to]
  const purpose = (name: 'signup' | 'password_reset' | 'revoke_all', subject: string) =>
    and(eq(mailedLinks.purpose, name), eq(mailedLinks.subject, subject))
  const ended = or(
    purpose('revoke_all', userId),
    purpose('signup', to),
    from === null ? undefined : purpose('password_reset', from),
    purposes.length === 0
      ? undefined
      : and(inArray(mailedLinks.purpose, [...purposes]), inArray(mailedLinks.subject, subjects)),
  )
  await tx
    .update(mailedLinks)
    .set({ state: 'superseded', endedAt: now })
    .where(and(ended, inArray(mailedLinks.state, ['requested', 'issued', 'opened'])))
}
