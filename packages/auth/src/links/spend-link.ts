import type { Db, Tx } from '@svc/core'
import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { isOfGeneration } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import { hashToken, newToken, type TokenHash } from '../crypto/crypto.ts'
import { type LinkPurpose, mailedLinks } from './schema.ts'

/** What the client presents: the token of a link, or the secret of the session that it became. */
interface Presented {
  purpose: LinkPurpose
  hash: TokenHash
  now: Date
}

/** A mailed link that is valid. */
const isIssued = ({ purpose, hash, now }: Presented) =>
  and(
    eq(mailedLinks.purpose, purpose),
    eq(mailedLinks.tokenHash, hash),
    eq(mailedLinks.state, 'issued'),
    gt(mailedLinks.expiresAt, now),
    isOfItsGeneration,
  )

/** A valid setup session. */
const isOpened = ({ purpose, hash, now }: Presented) =>
  and(
    eq(mailedLinks.purpose, purpose),
    eq(mailedLinks.setupHash, hash),
    eq(mailedLinks.state, 'opened'),
    gt(mailedLinks.expiresAt, now),
    isOfItsGeneration,
  )

/** If there is an account, no account-wide revocation came after the link was issued. */
export const isOfItsGeneration = or(
  isNull(mailedLinks.userId),
  isOfGeneration(mailedLinks.userId, mailedLinks.generation),
)

/** Changes nothing. */
export async function findIssued(db: Db, presented: Presented) {
  const [link] = await db.select().from(mailedLinks).where(isIssued(presented))
  return link ?? null
}

/** Changes nothing. */
export async function findOpened(db: Db, presented: Presented) {
  const [link] = await db.select().from(mailedLinks).where(isOpened(presented))
  return link ?? null
}

// A transition is one UPDATE guarded by purpose, state and time: of concurrent callers, only one
// gets the row.

const spend = (now: Date) => ({ state: 'spent' as const, endedAt: now })

/** issued → spent, for a link that needs no setup session. */
export async function spendIssued(tx: Tx, presented: Presented) {
  const spent = await tx
    .update(mailedLinks)
    .set(spend(presented.now))
    .where(isIssued(presented))
    .returning({ linkId: mailedLinks.linkId })
  return spent.length === 1
}

/** opened → spent. */
export async function spendOpened(tx: Tx, presented: Presented) {
  const spent = await tx
    .update(mailedLinks)
    .set(spend(presented.now))
    .where(isOpened(presented))
    .returning({ linkId: mailedLinks.linkId })
  return spent.length === 1
}

/** issued → opened: the link becomes a setup session with a secret of its own. */
async function openLink(
  db: Db,
  presented: Presented,
  { setupHash, expiresAt }: { setupHash: TokenHash; expiresAt: Date },
) {
  const [opened] = await db
    .update(mailedLinks)
    .set({ state: 'opened', setupHash, expiresAt })
    .where(isIssued(presented))
    .returning({ email: mailedLinks.subject, returnPath: mailedLinks.returnPath })
  return opened ?? null
}

interface Opening {
  purpose: LinkPurpose
  token: string
  ttlMinutes: number
}

/**
 * Spends a link, and opens the session in which the user can set one password. Null if the link is
 * not valid.
 */
export async function openSetup(
  { db, clock }: Needs<'db' | 'clock'>,
  { purpose, token, ttlMinutes }: Opening,
) {
  const now = clock.now()
  const setupSecret = newToken()
  const expiresAt = new Date(now.getTime() + ttlMinutes * 60_000)
  const presented = { purpose, hash: hashToken(token), now }
  const opened = await openLink(db, presented, { setupHash: hashToken(setupSecret), expiresAt })
  if (!opened) return null
  const { email, returnPath } = opened
  const setupExpiresAt = expiresAt.toISOString()
  return { email, returnPath: returnPath ?? '/', setupSecret, setupExpiresAt }
}
