import type { Clock } from '@svc/core'
import type { Pool } from 'pg'
import { accountColumns, type Stored, withRoles } from './account-columns.ts'
import { factsFrom, type KeyFacts, keyFactColumns } from './caller-facts.ts'
import type { CallerRow } from './caller-types.ts'
import { nameOf, pairOf, sharingTurns } from './sharing-turns.ts'
import type { StandingReader } from './standing.ts'
import { withOperator } from './support-standing.ts'

// The one statement that reads across folders: everything a request needs to know of its caller
// takes one round trip.
const columns = `
  k.key_id as "keyId", k.kind, k.permissions as "chosenPermissions",
  k.actor_id as "actorId", k.actor_key_id as "actorKeyId",
  k.state, k.public_key as "publicKey", k.algorithm, k.expires_at as "keyExpiresAt",
  k.last_used_at as "lastUsedAt", k.last_address as "lastAddress", k.concurrent_use_at as "concurrentUseAt",
  k.authenticated_at as "authenticatedAt", k.binding, k.second_factor_proved_at as "secondFactorProvedAt",
  ${accountColumns}`

const accounts = `
join svc_auth.device_keys k on k.key_id = asked.key_id
join svc_auth.users u on u.user_id = k.user_id
join svc_auth.roles r on r.name = u.role`

interface Shape {
  readonly name: string
  readonly select: string
  /** The columns of `asked`. */
  readonly asked: readonly string[]
}

/**
 * For one request and for those of a turn, which give an array for each column. PostgreSQL can't know the limit when it
 * plans for all values, and expects one row. Without the limit it expects ten, finds each plan for known values cheaper,
 * and plans again for every turn.
 */
function statementsOf({ name, select, asked }: Shape) {
  const values = asked.map((column, at) => `$${at + 1}::text as ${column}`)
  const arrays = asked.map((_, at) => `$${at + 1}::text[]`)
  const textOf = (from: string) => `select ${select} from (${from}) asked ${accounts}`
  return {
    one: { name, text: textOf(`select ${values.join(', ')}`) },
    many: {
      name: `${name}s`,
      text: textOf(
        `select * from unnest(${arrays.join(', ')}) as of_turn (${asked.join(', ')}) limit cardinality($1::text[])`,
      ),
    },
  }
}

const ofKeys = statementsOf({ name: 'svc_auth_caller', select: columns, asked: ['key_id'] })

/** The same, each with its standing in the tenant that its request names. */
const ofMembers = (standing: StandingReader) =>
  statementsOf({
    name: 'svc_auth_member',
    select: `${columns}, ${keyFactColumns}, asked.tenant, ${standing.select} as member`,
    asked: ['key_id', 'tenant'],
  })

/** Reads a key with its account, and with its standing in a tenant if one is named. */
export type CallerReader = (keyId: string, tenant?: string) => Promise<CallerRow | null>

interface Given {
  readonly rolesAtGates: ReadonlySet<string>
  readonly standing: StandingReader | undefined
  readonly clock: Clock
}

/**
 * Reads the key of a request from the database, every time: a revoked key is refused on its next
 * request. Requests that arrive in the same turn of the event loop share one statement, which makes
 * that affordable.
 */
export function createCallerReader(pool: Pool, given: Given): CallerReader {
  const { rolesAtGates, standing, clock } = given
  const readKey = sharingTurns<CallerRow>(async (keyIds, found) => {
    const { rows } = await (keyIds.length === 1
      ? pool.query<Stored<CallerRow>>({ ...ofKeys.one, values: keyIds })
      : pool.query<Stored<CallerRow>>({ ...ofKeys.many, values: [keyIds] }))
    for (const row of rows) found(row.keyId, withOwner(withRoles<CallerRow>(row)))
  })
  // A support key is read with its operator, so that no check of a key needs to know of support.
  const withOwner = (row: CallerRow) =>
    row.kind === 'support' ? withOperator(row, { read: readKey, rolesAtGates }) : row
  if (!standing) return readKey

  const { one, many } = ofMembers(standing)
  const readMember = sharingTurns<CallerRow>(async (names, found) => {
    const asked = names.map(pairOf)
    const { rows } = await pool.query<Stored<CallerRow> & Asked>(
      asked.length === 1
        ? { ...one, values: asked.flat() }
        : { ...many, values: [asked.map(([keyId]) => keyId), asked.map(([, tenant]) => tenant)] },
    )
    const now = clock.now()
    for (const { tenant, member, ...stored } of rows) {
      const { email, emailVerifiedAt, secondFactorSince } = stored
      const facts = () => factsFrom({ email, emailVerifiedAt, secondFactorSince, key: stored }, now)
      const standingThere = member === null ? null : standing.read(member, facts())
      const row = Object.assign(withRoles<CallerRow>(stored), { standing: standingThere })
      found(nameOf(row.keyId, tenant), withOwner(row))
    }
  })
  return (keyId, tenant) =>
    tenant !== undefined && standing.isId(tenant)
      ? readMember(nameOf(keyId, tenant))
      : readKey(keyId)
}

interface Asked extends KeyFacts {
  readonly tenant: string
  /** As the capability has stored it. */
  readonly member: unknown
}
