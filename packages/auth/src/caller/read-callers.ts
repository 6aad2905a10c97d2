import type { Clock } from '@svc/core'
import type { Pool } from 'pg'
import { accountColumns, type Stored, withRoles } from './account-columns.ts'
import { factsFrom, type KeyFacts, keyFactColumns } from './caller-facts.ts'
import type { CallerRow } from './caller-types.ts'
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
join svc_auth.users u on u.user_id = k.user_id
join svc_auth.roles r on r.name = u.role`

const keys = `select ${columns}
from svc_auth.device_keys k ${accounts}
where k.key_id = `

const one = { name: 'svc_auth_caller', text: `${keys}$1` }
const many = { name: 'svc_auth_callers', text: `${keys}any($1)` }

/** The same, each with its standing in the tenant that its request names. */
const members = ({ select }: StandingReader) => ({
  name: 'svc_auth_members',
  text: `select ${columns}, ${keyFactColumns}, asked.tenant, ${select} as member
from unnest($1::text[], $2::text[]) as asked (key_id, tenant)
join svc_auth.device_keys k on k.key_id = asked.key_id ${accounts}`,
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
  const readKey = sharingTurns(async (keyIds, found) => {
    const { rows } = await (keyIds.length === 1
      ? pool.query<Stored<CallerRow>>({ ...one, values: keyIds })
      : pool.query<Stored<CallerRow>>({ ...many, values: [keyIds] }))
    for (const row of rows) found(row.keyId, withOwner(withRoles<CallerRow>(row)))
  })
  // A support key is read with its operator, so that no check of a key needs to know of support.
  const withOwner = (row: CallerRow) =>
    row.kind === 'support' ? withOperator(row, { read: readKey, rolesAtGates }) : row
  if (!standing) return readKey

  const statement = members(standing)
  const readMember = sharingTurns(async (names, found) => {
    const asked = names.map(pairOf)
    const values = [asked.map(([keyId]) => keyId), asked.map(([, tenant]) => tenant)]
    const { rows } = await pool.query<Stored<CallerRow> & Asked>({ ...statement, values })
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

const nameOf = (keyId: string, tenant: string) => JSON.stringify([keyId, tenant])
const pairOf = (name: string) => JSON.parse(name) as readonly [keyId: string, tenant: string]

type Found = CallerRow | Promise<CallerRow>

interface Waiting {
  promise: Promise<CallerRow | null>
  resolve: (row: Found | null) => void
  reject: (error: unknown) => void
}

type ReadAll = (names: string[], found: (name: string, row: Found) => void) => Promise<void>

/** One call for all that is asked for in the same turn of the event loop. */
function sharingTurns(readAll: ReadAll) {
  let turn = new Map<string, Waiting>()

  async function readTurn() {
    const waiting = turn
    turn = new Map()
    try {
      await readAll([...waiting.keys()], (name, row) => waiting.get(name)?.resolve(row))
      // The requests whose key has a row are resolved already.
      for (const { resolve } of waiting.values()) resolve(null)
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error)
    }
  }

  return (name: string) => {
    const same = turn.get(name)
    if (same) return same.promise
    // After the sockets of this turn have been read, so that all their requests are here.
    if (turn.size === 0) setImmediate(() => void readTurn())
    const waiting = Promise.withResolvers<CallerRow | null>()
    turn.set(name, waiting)
    return waiting.promise
  }
}
