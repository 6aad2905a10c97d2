import { type Db, prepared, type Tx } from '@svc/core'
import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { sharingTurns } from '../../caller/caller.ts'
import type { TokenHash } from '../../crypto/crypto.ts'
import { isBelowStanding } from './ancestors.ts'
import { oauth2Grants, oauth2Tokens } from './schema.ts'
import type { GrantRow } from './store.ts'

type TokenRow = typeof oauth2Tokens.$inferSelect

export interface FoundToken {
  token: TokenRow
  grant: GrantRow
}

export async function insertTokens(tx: Tx, tokens: (typeof oauth2Tokens.$inferInsert)[]) {
  await tx.insert(oauth2Tokens).values(tokens)
}

/** A token of a kind, with its grant. Null if a grant that it came from is over. */
export async function findToken(
  db: Db,
  tokenHash: TokenHash,
  kind: 'access' | 'refresh',
): Promise<FoundToken | null> {
  const { tokenHash: hash, kind: ofKind } = oauth2Tokens
  const [found] = await db
    .select({ token: oauth2Tokens, grant: oauth2Grants })
    .from(oauth2Tokens)
    .innerJoin(oauth2Grants, eq(oauth2Grants.grantId, oauth2Tokens.grantId))
    .where(and(eq(hash, tokenHash), eq(ofKind, kind), isBelowStanding))
  return found ?? null
}

const accessTokens = prepared('svc_auth_access_tokens', (db, name) =>
  db
    .select({ token: oauth2Tokens, grant: oauth2Grants })
    .from(oauth2Tokens)
    .innerJoin(oauth2Grants, eq(oauth2Grants.grantId, oauth2Tokens.grantId))
    .where(
      and(
        sql`${oauth2Tokens.tokenHash} = any(${sql.placeholder('hashes')})`,
        eq(oauth2Tokens.kind, 'access'),
        isBelowStanding,
      ),
    )
    // One for each: PostgreSQL would plan again and again for a number that it does not know.
    .limit(sql.placeholder('number'))
    .prepare(name),
)

const readers = new WeakMap<Db, ReturnType<typeof accessTokensOf>>()

const accessTokensOf = (db: Db) =>
  sharingTurns<FoundToken>(async (hashes, found) => {
    const rows = await accessTokens(db).execute({ hashes, number: hashes.length })
    for (const row of rows) found(row.token.tokenHash, row)
  })

/** The same for an access token. Agents send one with each request: those of one turn share a statement. */
export function findAccessToken(db: Db, tokenHash: TokenHash): Promise<FoundToken | null> {
  const reader = readers.get(db) ?? accessTokensOf(db)
  readers.set(db, reader)
  return reader(tokenHash)
}

/** unspent → spent, while its grant is active. Null for every request but the first. */
export async function spendRefreshToken(
  tx: Tx,
  { tokenHash, grantId, now }: Pick<TokenRow, 'tokenHash' | 'grantId'> & { now: Date },
): Promise<TokenRow | null> {
  const [spent] = await tx
    .update(oauth2Tokens)
    .set({ spentAt: now })
    .where(
      and(
        eq(oauth2Tokens.tokenHash, tokenHash),
        eq(oauth2Tokens.kind, 'refresh'),
        isNull(oauth2Tokens.spentAt),
        gt(oauth2Tokens.expiresAt, now),
        sql`exists (select from ${oauth2Grants} g where g.grant_id = ${grantId} and g.state = 'active')`,
      ),
    )
    .returning()
  return spent ?? null
}

interface Kept extends Pick<TokenRow, 'tokenHash' | 'grantId'> {
  /** Null if none is stored. */
  successor: string | null
}

/**
 * Only the response to a grant's newest refresh is stored, because the earlier ones were received.
 */
export async function keepSuccessor(tx: Tx, { tokenHash, grantId, successor }: Kept) {
  const { tokenHash: hash, successor: kept } = oauth2Tokens
  await tx
    .update(oauth2Tokens)
    .set({ successor: sql`case when ${eq(hash, tokenHash)} then ${successor}::text end` })
    .where(and(eq(oauth2Tokens.grantId, grantId), or(eq(hash, tokenHash), isNotNull(kept))))
}
