import type { Db, Tx } from '@svc/core'
import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { FreshAccount, ServiceAccount } from '../../accounts/accounts.ts'
import { hashToken, newToken, type TokenHash } from '../../crypto/crypto.ts'
import { isUuid } from '../../pg-schema.ts'
import { isBelowStanding } from './ancestors.ts'
import { oauth2Grants } from './schema.ts'

export type GrantRow = typeof oauth2Grants.$inferSelect
/** What is offered to a client. Its id is drawn unless given. */
export type Offer = Partial<Pick<GrantRow, 'grantId'>> &
  Pick<
    GrantRow,
    | 'clientId'
    | 'scopes'
    | 'resource'
    | 'redirectUri'
    | 'codeHash'
    | 'codeChallenge'
    | 'codeExpiresAt'
    | 'keyThumbprint'
    | 'madeByKeyId'
    | 'tenant'
  >

export async function insertOffer(
  tx: Tx,
  { userId, generation }: FreshAccount | ServiceAccount,
  { now, ...offer }: Offer & { now: Date },
) {
  const { codeExpiresAt: expiresAt } = offer
  const granted = { ...offer, userId, generation, createdAt: now, expiresAt }
  await tx.insert(oauth2Grants).values({ ...granted, state: 'offered' })
}

export async function findByCode(db: Db, codeHash: TokenHash): Promise<GrantRow | null> {
  const [grant] = await db.select().from(oauth2Grants).where(eq(oauth2Grants.codeHash, codeHash))
  return grant ?? null
}

export async function findGrant(db: Db, grantId: string): Promise<GrantRow | null> {
  const [grant] = await db.select().from(oauth2Grants).where(eq(oauth2Grants.grantId, grantId))
  return grant ?? null
}

/** Null also for one that has ended, or waits for its client. */
export async function findActiveGrant(db: Db, grantId: string): Promise<GrantRow | null> {
  if (!isUuid(grantId)) return null
  const isActive = and(eq(oauth2Grants.grantId, grantId), eq(oauth2Grants.state, 'active'))
  const [grant] = await db.select().from(oauth2Grants).where(isActive)
  return grant ?? null
}

interface Start {
  grantId: string
  keyThumbprint: string | null
  keyId: string | null
  expiresAt: Date
  now: Date
}

/** offered → active, while the code is valid. Null for every request but the first. */
export async function startGrant(
  tx: Tx,
  { grantId, now, ...start }: Start,
): Promise<GrantRow | null> {
  const [started] = await tx
    .update(oauth2Grants)
    .set({ ...start, state: 'active', startedAt: now, lastUsedAt: now })
    .where(
      and(
        eq(oauth2Grants.grantId, grantId),
        eq(oauth2Grants.state, 'offered'),
        gt(oauth2Grants.codeExpiresAt, now),
      ),
    )
    .returning()
  return started ?? null
}

type Same = Pick<
  GrantRow,
  'userId' | 'clientId' | 'resource' | 'scopes' | 'keyThumbprint' | 'ancestors' | 'issuer'
>

const isOrNull = <Column extends PgColumn>(column: Column, value: Column['_']['data'] | null) =>
  value === null ? isNull(column) : eq(column, value)

/** An active one of the same client, for the same, from the same grant or identity provider. */
export async function findSame(
  tx: Tx,
  { userId, clientId, resource, scopes, ...same }: Same & Pick<GrantRow, 'generation'>,
): Promise<GrantRow | null> {
  const grants = oauth2Grants
  const [found] = await tx
    .select()
    .from(grants)
    .where(
      and(
        eq(grants.userId, userId),
        eq(grants.generation, same.generation),
        eq(grants.clientId, clientId),
        eq(grants.resource, resource),
        eq(grants.scopes, scopes),
        isOrNull(grants.keyThumbprint, same.keyThumbprint),
        isOrNull(grants.ancestors, same.ancestors),
        isOrNull(grants.issuer, same.issuer),
        eq(grants.state, 'active'),
      ),
    )
    .limit(1)
    // Otherwise the sweep could delete an expired one before it is prolonged.
    .for('no key update')
  return found ?? null
}

type Insertion = Same &
  Pick<GrantRow, 'generation' | 'tenant' | 'actors' | 'keyId' | 'redirectUri'> & { now: Date }

/** Active at once. Its code was never issued. */
export async function insertActive(tx: Tx, { now, ...given }: Insertion): Promise<GrantRow> {
  const code = { codeHash: hashToken(newToken()), codeChallenge: '', codeExpiresAt: now }
  const times = { createdAt: now, startedAt: now, lastUsedAt: now, expiresAt: now }
  const [row] = await tx
    .insert(oauth2Grants)
    .values({ ...given, ...code, ...times, state: 'active' })
    .returning()
  return row as GrantRow
}

/** Whether all of these are active. Their account is locked, so that none of them ends meanwhile. */
export async function standing(tx: Tx, grantIds: string[]) {
  const { grantId, state } = oauth2Grants
  const active = await tx.$count(oauth2Grants, and(inArray(grantId, grantIds), eq(state, 'active')))
  return active === grantIds.length
}

/** A token that expires before an earlier one of its grant does not shorten it. */
export async function prolongGrant(
  tx: Tx,
  grantId: string,
  { now, expiresAt }: { now: Date; expiresAt: Date },
) {
  await tx
    .update(oauth2Grants)
    .set({ expiresAt: sql`greatest(${oauth2Grants.expiresAt}, ${expiresAt})`, lastUsedAt: now })
    .where(eq(oauth2Grants.grantId, grantId))
}

// A grant's use is noted at most once a minute, like a device's.
const noteEveryMillis = 60_000

export async function noteUse(
  db: Db,
  { grantId, lastUsedAt }: Pick<GrantRow, 'grantId' | 'lastUsedAt'>,
  now: Date,
) {
  const before = new Date(now.getTime() - noteEveryMillis)
  if (lastUsedAt && lastUsedAt > before) return
  await db
    .update(oauth2Grants)
    .set({ lastUsedAt: now })
    .where(
      and(
        eq(oauth2Grants.grantId, grantId),
        or(isNull(oauth2Grants.lastUsedAt), lte(oauth2Grants.lastUsedAt, before)),
      ),
    )
}

/** offered or active → revoked, for a grant and all below it. Returns those that were not revoked before. */
export function endGrantRows(
  tx: Tx,
  { grantId, userId, reason, now }: { grantId: string; userId: string; reason: string; now: Date },
): Promise<GrantRow[]> {
  const isBelow = sql`${grantId}::uuid = any(${oauth2Grants.ancestors})`
  return tx
    .update(oauth2Grants)
    .set({ state: 'revoked', revokedAt: now, revokedReason: reason })
    .where(
      and(
        or(eq(oauth2Grants.grantId, grantId), isBelow),
        eq(oauth2Grants.userId, userId),
        ne(oauth2Grants.state, 'revoked'),
      ),
    )
    .returning()
}

/** An account can't revoke what its list doesn't show, so it has no more than this of each kind. */
export const mostGrants = 1000

interface GrantOwner {
  userId: string
  generation: number
  now: Date
}

/** Allowed in the account's present generation, and not expired. */
export const stands = ({ userId, generation, now }: GrantOwner) =>
  and(
    eq(oauth2Grants.userId, userId),
    eq(oauth2Grants.generation, generation),
    gt(oauth2Grants.expiresAt, now),
  )

const { ancestors, issuer } = oauth2Grants
const kinds = {
  allowed: and(isNull(ancestors), isNull(issuer)),
  asserted: and(isNull(ancestors), isNotNull(issuer)),
  exchanged: isNotNull(ancestors),
}

/** How many live grants an account has that are of a kind. One that its owner has allowed may wait for its client. */
export function countGrants(tx: Tx, account: GrantOwner, kind: keyof typeof kinds) {
  return tx.$count(
    oauth2Grants,
    and(stands(account), kinds[kind], ne(oauth2Grants.state, 'revoked')),
  )
}

/** What an account has allowed, and nothing has ended since. */
export function grantsOf(db: Db, account: GrantOwner): Promise<GrantRow[]> {
  return db
    .select()
    .from(oauth2Grants)
    .where(and(stands(account), eq(oauth2Grants.state, 'active'), isBelowStanding))
    .orderBy(desc(oauth2Grants.createdAt), oauth2Grants.grantId)
    .limit(Object.keys(kinds).length * mostGrants)
}

/** The ids of the active ones that identity providers have allowed. */
export async function grantsOfIssuers(tx: Tx, userId: string) {
  const isActive = and(eq(oauth2Grants.userId, userId), eq(oauth2Grants.state, 'active'))
  const rows = await tx
    .select({ grantId: oauth2Grants.grantId })
    .from(oauth2Grants)
    .where(and(isActive, kinds.asserted))
  return rows.map(({ grantId }) => grantId)
}

/** One of these. */
export async function findStanding(
  db: Db,
  { grantId, ...account }: GrantOwner & Pick<GrantRow, 'grantId'>,
): Promise<GrantRow | null> {
  if (!isUuid(grantId)) return null
  const isIt = and(eq(oauth2Grants.grantId, grantId), eq(oauth2Grants.state, 'active'))
  const [grant] = await db
    .select()
    .from(oauth2Grants)
    .where(and(isIt, stands(account), isBelowStanding))
  return grant ?? null
}

/** Accounts of tenants, each made for one grant, which is over. */
export async function accountsOfOverGrants(
  db: Db,
  { now, userId: only }: { now: Date; userId?: string },
) {
  const { userId, state, expiresAt, tenant } = oauth2Grants
  const isOne = only === undefined ? undefined : eq(userId, only)
  // Each state is named, as the index begins with it.
  const isExpired = and(inArray(state, ['offered', 'active']), lte(expiresAt, now))
  const isOver = or(eq(state, 'revoked'), isExpired)
  const rows = await db
    .select({ userId })
    .from(oauth2Grants)
    .where(and(isNotNull(tenant), isNull(ancestors), isOne, isOver))
    .limit(mostGrants)
  return rows.map((row) => row.userId)
}

/** All grants that are still stored, for an export. */
export function everyGrantOf(db: Db, userId: string): Promise<GrantRow[]> {
  return db
    .select()
    .from(oauth2Grants)
    .where(eq(oauth2Grants.userId, userId))
    .orderBy(desc(oauth2Grants.createdAt), oauth2Grants.grantId)
    .limit(mostGrants)
}
