import type { Db } from '@svc/core'
import { and, eq, gt, inArray } from 'drizzle-orm'
import type { TokenHash } from '../crypto/token.ts'
import { isOfItsGeneration } from './presented.ts'
import { mailedLinks } from './schema.ts'

/** What is to be mailed; null when it is no longer wanted. */
export async function findWanted(db: Db, linkId: string, now: Date) {
  const [link] = await db.select().from(mailedLinks).where(wanted(linkId, now))
  return link ?? null
}

// A second try to mail it finds it issued already, and replaces a token that may never have arrived.
const wanted = (linkId: string, now: Date) =>
  and(
    eq(mailedLinks.linkId, linkId),
    inArray(mailedLinks.state, ['requested', 'issued']),
    gt(mailedLinks.expiresAt, now),
    isOfItsGeneration,
  )

interface Issue {
  tokenHash: TokenHash
  userId?: string | null
  generation?: number | null
  now: Date
}

/** requested → issued. False when it is no longer wanted. */
export async function issueLink(db: Db, linkId: string, { now, ...issue }: Issue) {
  const issued = await db
    .update(mailedLinks)
    .set({ ...issue, state: 'issued' })
    .where(wanted(linkId, now))
    .returning({ linkId: mailedLinks.linkId })
  return issued.length === 1
}

/** requested → spent: nobody gets a link for it. */
export async function dropLink(db: Db, linkId: string, now: Date) {
  await db
    .update(mailedLinks)
    .set({ state: 'spent', endedAt: now })
    .where(and(eq(mailedLinks.linkId, linkId), eq(mailedLinks.state, 'requested')))
}
