import { randomUUID } from 'node:crypto'
import { type Db, type Tx, ValidationError } from '@svc/core'
import { isOwnPath } from '@svc/core/client'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Needs } from '../auth.ts'
import { hashToken, newToken, type TokenHash } from '../crypto/crypto.ts'
import { inTransaction } from '../in-transaction.ts'
import { type LinkPurpose, type LinkState, mailedLinks } from './schema.ts'
import { isOfItsGeneration } from './spend-link.ts'

export {
  endEveryLink,
  endLinksOf,
  forgetLinks,
  forgetLinksOf,
  purgeRevokeAllLinks,
} from './end-links.ts'
export { findIssued, findOpened, openSetup, spendIssued, spendOpened } from './spend-link.ts'

interface NewLink {
  purpose: LinkPurpose
  subject: string
  /** The account and its generation, if they are known from the start. */
  userId?: string
  generation?: number
  returnPath?: string | null
  locale?: string | null
  expiresAt: Date
  now: Date
}

const live: LinkState[] = ['requested', 'issued', 'opened']

/** A link without a token yet. The same commit ends every earlier one for the same subject. */
export async function requestLink(tx: Tx, { now, ...link }: NewLink) {
  const { purpose, subject } = link
  // Two concurrent requests run one after the other: the second supersedes the first.
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

interface Order {
  purpose: LinkPurpose
  /** The address that the link is for, and that gets it. */
  subject: string
  returnPath: string | null
  locale?: string
  ttlMinutes: number
}

/**
 * Records that a link is wanted, and nothing else. The job that mails it is the first to look for
 * the account, so neither the response nor its time can tell (A-114, A-125, A-184).
 */
export async function orderLink(
  { db, clock, linkMail }: Needs<'db' | 'clock' | 'linkMail'>,
  { ttlMinutes, ...wanted }: Order,
) {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + ttlMinutes * 60_000)
  await inTransaction(db, async (tx) => {
    const id = await requestLink(tx, { ...wanted, expiresAt, now })
    await linkMail.order(tx, { kind: wanted.purpose, id })
  })
  return { success: true as const, expiresAt: expiresAt.toISOString() }
}

/** The link to be mailed; null if it is no longer wanted. */
export async function findWanted(db: Db, linkId: string, now: Date) {
  const [link] = await db.select().from(mailedLinks).where(wanted(linkId, now))
  return link ?? null
}

// A second attempt to mail it finds it issued already, and replaces a token that may never have
// arrived.
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

/** requested → issued. False if it is no longer wanted. */
export async function issueLink(db: Db, linkId: string, { now, ...issue }: Issue) {
  const issued = await db
    .update(mailedLinks)
    .set({ ...issue, state: 'issued' })
    .where(wanted(linkId, now))
    .returning({ linkId: mailedLinks.linkId })
  return issued.length === 1
}

/** requested → spent: no link is mailed for it. */
export async function dropLink(db: Db, linkId: string, now: Date) {
  await db
    .update(mailedLinks)
    .set({ state: 'spent', endedAt: now })
    .where(and(eq(mailedLinks.linkId, linkId), eq(mailedLinks.state, 'requested')))
}

interface Waiting {
  userId: string
  email: string | null
  /** All purposes of further capabilities. */
  purposes: readonly LinkPurpose[]
  now: Date
}

/**
 * What was mailed to an account, or will be, and can still be used. It omits the token and its
 * hash.
 */
export function waitingLinksOf(db: Db, { userId, email, purposes, now }: Waiting) {
  const { purpose, subject, createdAt, expiresAt } = mailedLinks
  const subjects = email === null ? [userId] : [userId, email]
  return db
    .select({ purpose, createdAt, expiresAt })
    .from(mailedLinks)
    .where(
      and(
        inArray(purpose, ['signup', 'password_reset', 'revoke_all', ...purposes]),
        inArray(subject, subjects),
        inArray(mailedLinks.state, live),
        gt(expiresAt, now),
        isOfItsGeneration,
      ),
    )
    .orderBy(createdAt, purpose)
}

/**
 * A page of the app with a new token in its query, and the token's hash for a row. The address is
 * the configured one, never taken from a request's headers (A-181).
 */
export function mintLink({ appUrl }: Needs<'appUrl'>, path: string) {
  const token = newToken()
  const url = new URL(path, appUrl)
  url.searchParams.set('token', token)
  return { url: url.href, tokenHash: hashToken(token) }
}

/** A path inside the app, so that a mailed link never leads elsewhere (A-179). */
export function readReturnPath(given: string | undefined): string | null {
  if (given === undefined) return null
  // A column can't hold half a surrogate pair.
  if (isOwnPath(given) && given.isWellFormed()) return given
  const message = 'Enter a path inside the app, such as /welcome.'
  throw new ValidationError({ fields: [{ path: 'body.returnPath', message }] })
}
