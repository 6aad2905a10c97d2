import type { Clock, Tx } from '@svc/core'
import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { accountColumns, type Stored, withRoles } from './account-columns.ts'
import { factsFrom } from './caller-facts.ts'
import type { AccountRow, CallerRow } from './caller-types.ts'
import { nameOf, pairOf, sharingTurns } from './sharing-turns.ts'
import type { StandingReader } from './standing.ts'

/** An account without a key, with its standing in the tenant that was named. */
export type AccountWithStanding = AccountRow & Pick<CallerRow, 'standing'>

/** Reads the account of a caller who has no key, and its standing in a tenant if one is named. */
export type AccountReader = (userId: string, tenant?: string) => Promise<AccountWithStanding | null>

/** The same in a transaction, which must not wait for another connection. */
export type LockedAccountReader = (
  tx: Tx,
  userId: string,
  tenant: string | null,
) => Promise<AccountWithStanding | null>

/** A statement of another folder for rows that an account owns. */
interface OwnedRow {
  /** The columns that are read of a row, as of the table `asked`. */
  readonly select: string
  /** A `select` with these columns, and with `user_id` and `tenant`. */
  readonly from: string
  readonly values: unknown[]
}

/** Reads a row together with its account, and with the standing of the account in the tenant of the row, if it has one. */
export type OwnerReader = <Row extends object>(
  owned: OwnedRow,
) => Promise<(Row & AccountWithStanding) | null>

const joined = 'join svc_auth.roles r on r.name = u.role'
const from = `from svc_auth.users u ${joined}`
const accounts = `select ${accountColumns} ${from} where u.user_id =`
// Named, so that PostgreSQL plans them once per connection.
const one = { name: 'svc_auth_account', text: `${accounts} $1` }
const many = { name: 'svc_auth_accounts', text: `${accounts} any($1::uuid[])` }

interface Given {
  readonly standing: StandingReader | undefined
  readonly clock: Clock
}

/** Reads it from the database every time, as the key of a request is. Requests of one turn share a statement. */
export function createAccountReader(pool: Pool, given: Given): AccountReader {
  const { standing } = given
  const readAccount = sharingTurns<AccountWithStanding>(async (userIds, found) => {
    const { rows } = await (userIds.length === 1
      ? pool.query<Stored<AccountRow>>({ ...one, values: userIds })
      : pool.query<Stored<AccountRow>>({ ...many, values: [userIds] }))
    for (const row of rows) found(row.userId, withRoles<AccountRow>(row))
  })
  if (!standing) return readAccount

  const members = {
    name: 'svc_auth_account_members',
    text: `select ${accountColumns}, asked.tenant as "askedTenant", ${standing.select} as member
      from unnest($1::uuid[], $2::text[]) as asked (user_id, tenant)
      join svc_auth.users u on u.user_id = asked.user_id ${joined} limit cardinality($2::text[])`,
  }
  const readMember = sharingTurns<AccountWithStanding>(async (names, found) => {
    const asked = names.map(pairOf)
    const values = [asked.map(([userId]) => userId), asked.map(([, tenant]) => tenant)]
    const { rows } = await pool.query<WithMember & { askedTenant: string }>({ ...members, values })
    for (const { askedTenant, ...row } of rows) {
      found(nameOf(row.userId, askedTenant), accountFrom(row, given))
    }
  })
  return (userId, tenant) =>
    tenant !== undefined && standing.isId(tenant)
      ? readMember(nameOf(userId, tenant))
      : readAccount(userId)
}

type WithMember = Stored<AccountRow> & { member: unknown }

function accountFrom({ member, ...stored }: WithMember, { standing, clock }: Given) {
  const facts = factsFrom({ ...stored, key: null }, clock.now())
  const found = member === null ? null : (standing?.read(member, facts) ?? null)
  return { ...withRoles<AccountRow>(stored), standing: found }
}

export function createLockedAccountReader(given: Given): LockedAccountReader {
  return async (tx, userId, tenant) => {
    const { standing } = given
    const named = tenant !== null && standing?.isId(tenant) ? tenant : null
    const member = named === null ? 'null' : (standing?.select ?? 'null')
    const { rows } = await tx.execute(sql`
      select ${sql.raw(accountColumns)}, ${sql.raw(member)} as member
      from (select ${userId}::uuid as user_id, ${named}::text as tenant) asked
      join svc_auth.users u on u.user_id = asked.user_id ${sql.raw(joined)}`)
    const [row] = rows as unknown as WithMember[]
    return row ? accountFrom(row, given) : null
  }
}

/** The same in the one statement that reads the row. */
export function createOwnerReader(pool: Pool, given: Given): OwnerReader {
  const member = given.standing?.select ?? 'null'
  return async <Row extends object>({ select, from: source, values }: OwnedRow) => {
    const text = `select ${select}, ${accountColumns}, ${member} as member
      from (${source}) asked join svc_auth.users u on u.user_id = asked.user_id ${joined}`
    const { rows } = await pool.query<WithMember & Row>(text, values)
    return rows[0] ? { ...rows[0], ...accountFrom(rows[0], given) } : null
  }
}
