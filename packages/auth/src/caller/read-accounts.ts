import type { Clock } from '@svc/core'
import type { Pool } from 'pg'
import { accountColumns, type Stored, withRoles } from './account-columns.ts'
import { factsFrom } from './caller-facts.ts'
import type { AccountRow, CallerRow } from './caller-types.ts'
import type { StandingReader } from './standing.ts'

/** An account without a key, with its standing in the tenant that was named. */
export type AccountWithStanding = AccountRow & Pick<CallerRow, 'standing'>

/** Reads the account of a caller who has no key, and its standing in a tenant if one is named. */
export type AccountReader = (userId: string, tenant?: string) => Promise<AccountWithStanding | null>

const from = 'from svc_auth.users u join svc_auth.roles r on r.name = u.role'
const alone = `select ${accountColumns} ${from} where u.user_id = $1`

interface Given {
  readonly standing: StandingReader | undefined
  readonly clock: Clock
}

/** Reads it from the database every time, as the key of a request is. */
export function createAccountReader(pool: Pool, { standing, clock }: Given): AccountReader {
  const withStanding =
    standing &&
    `select ${accountColumns}, ${standing.select} as member
      ${from} cross join (select $2::text as tenant) asked where u.user_id = $1`
  return async (userId, tenant) => {
    if (!withStanding || tenant === undefined || !standing.isId(tenant)) {
      const { rows } = await pool.query<Stored<AccountRow>>(alone, [userId])
      return rows[0] ? withRoles<AccountRow>(rows[0]) : null
    }
    const { rows } = await pool.query<Stored<AccountRow> & { member: unknown }>(withStanding, [
      userId,
      tenant,
    ])
    const [row] = rows
    if (!row) return null
    const { member, ...stored } = row
    const facts = factsFrom({ ...stored, key: null }, clock.now())
    const found = member === null ? null : standing.read(member, facts)
    return { ...withRoles<AccountRow>(stored), standing: found }
  }
}
