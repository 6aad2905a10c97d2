import type { Db, Tx } from '@svc/core'
import { and, desc, eq, gt, inArray, lte, ne } from 'drizzle-orm'
import type { Succession } from '../../capability/capability.ts'
import type { TokenHash } from '../../crypto/crypto.ts'
import { openidSessions, openidSignIns } from './schema.ts'

export type SignInRow = typeof openidSignIns.$inferSelect

type Offer = Pick<
  SignInRow,
  | 'userId'
  | 'generation'
  | 'keyId'
  | 'clientId'
  | 'scopes'
  | 'redirectUri'
  | 'codeHash'
  | 'codeChallenge'
  | 'nonce'
  | 'authenticatedAt'
  | 'keyThumbprint'
  | 'createdAt'
  | 'expiresAt'
>

export async function insertSignIn(tx: Tx, offer: Offer) {
  await tx.insert(openidSignIns).values({ ...offer, state: 'offered' })
}

export async function findByCode(db: Db, codeHash: TokenHash): Promise<SignInRow | null> {
  const [found] = await db.select().from(openidSignIns).where(eq(openidSignIns.codeHash, codeHash))
  return found ?? null
}

interface Start {
  signInId: string
  tokenHash: TokenHash
  keyThumbprint: string | null
  now: Date
  expiresAt: Date
}

/** offered → active, while the code is valid. Null for every request but the first. */
export async function startSignIn(
  tx: Tx,
  { signInId, now, ...start }: Start,
): Promise<SignInRow | null> {
  const [started] = await tx
    .update(openidSignIns)
    .set({ ...start, state: 'active', startedAt: now })
    .where(
      and(
        eq(openidSignIns.signInId, signInId),
        eq(openidSignIns.state, 'offered'),
        gt(openidSignIns.expiresAt, now),
      ),
    )
    .returning()
  return started ?? null
}

/** Any state → ended, for the client that has it. */
export async function endSignIn(
  db: Db,
  { signInId, clientId }: Pick<SignInRow, 'signInId' | 'clientId'>,
) {
  await db
    .update(openidSignIns)
    .set({ state: 'ended', tokenHash: null })
    .where(and(eq(openidSignIns.signInId, signInId), eq(openidSignIns.clientId, clientId)))
}

export async function findByToken(
  db: Db,
  tokenHash: TokenHash,
  now: Date,
): Promise<SignInRow | null> {
  const { tokenHash: hash, state, expiresAt } = openidSignIns
  const [found] = await db
    .select()
    .from(openidSignIns)
    .where(and(eq(hash, tokenHash), eq(state, 'active'), gt(expiresAt, now)))
  return found ?? null
}

/** Passes the sign-ins of a key to its successor. */
export async function handOnSignIns(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(openidSignIns)
    .set({ keyId: to })
    .where(and(eq(openidSignIns.userId, userId), eq(openidSignIns.keyId, from)))
}

export async function forgetSignIns(db: Db, now: Date) {
  await db.delete(openidSignIns).where(lte(openidSignIns.expiresAt, now))
}

export async function forgetSignInsOf(tx: Tx, userId: string) {
  await tx.delete(openidSignIns).where(eq(openidSignIns.userId, userId))
  await tx.delete(openidSessions).where(eq(openidSessions.userId, userId))
}

/** → ended, for all sign-ins of these accounts that have not ended. Returns how many there were. */
export async function endSignInsOf(tx: Tx, userIds: string[]) {
  const { rowCount } = await tx
    .update(openidSignIns)
    .set({ state: 'ended', tokenHash: null })
    .where(and(inArray(openidSignIns.userId, userIds), ne(openidSignIns.state, 'ended')))
  return rowCount ?? 0
}

// For an export: more than an hour can have.
const most = 1000

/** What is still stored of an account's sign-ins at other applications. */
export async function exportSignIns(db: Db, userId: string) {
  const { clientId, state, scopes, keyId, createdAt, startedAt, expiresAt } = openidSignIns
  return db
    .select({ clientId, state, scopes, keyId, createdAt, startedAt, expiresAt })
    .from(openidSignIns)
    .where(eq(openidSignIns.userId, userId))
    .orderBy(desc(createdAt))
    .limit(most)
}
