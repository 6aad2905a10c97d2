import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type LinkPurpose, type LinkState, mailedLinks } from './schema.ts'

export interface NewLink {
  purpose: LinkPurpose
  subject: string
  /** The account and its generation, where they are known from the start. */
  userId?: string
  generation?: number
  returnPath?: string | null
  locale?: string | null
  expiresAt: Date
  now: Date
}

const live: LinkState[] = ['requested', 'issued', 'opened']

/** A link without a token yet. Whatever was asked for before, for the same subject, is dead in the same commit. */
export async function requestLink(tx: Tx, { now, ...link }: NewLink) {
  const { purpose, subject } = link
  // Two that ask at once come one after the other: the second supersedes the first.
  const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`${purpose}\n${subject}`}, 0))`
  await tx.execute(lock)
  await supersede(tx, { purpose, subject, now })
  const linkId = randomUUID()
  await tx.insert(mailedLinks).values({ ...link, linkId, state: 'requested', createdAt: now })
  return linkId
}

async function supersede(
  tx: Tx,
  { purpose, subject, now }: { purpose: LinkPurpose; subject: string; now: Date },
) {
  await tx
    .update(mailedLinks)
    .set({ state: 'superseded', endedAt: now })
    .where(
      and(
        eq(mailedLinks.purpose, purpose),
        eq(mailedLinks.subject, subject),
        inArray(mailedLinks.state, live),
      ),
    )
}
