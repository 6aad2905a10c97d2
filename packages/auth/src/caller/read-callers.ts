import type { Pool } from 'pg'
import { accountColumns, type Stored, withRoles } from './account-columns.ts'
import type { CallerRow } from './caller-types.ts'
import { withOperator } from './support-standing.ts'

// The one statement that reads across folders: everything a request needs to know of its caller
// takes one round trip.
const columns = `select
  k.key_id as "keyId", k.kind, k.permissions as "chosenPermissions",
  k.actor_id as "actorId", k.actor_key_id as "actorKeyId",
  k.state, k.public_key as "publicKey", k.algorithm, k.expires_at as "keyExpiresAt",
  k.last_used_at as "lastUsedAt", k.last_address as "lastAddress", k.concurrent_use_at as "concurrentUseAt",
  k.authenticated_at as "authenticatedAt", k.binding, k.second_factor_proved_at as "secondFactorProvedAt",
  ${accountColumns}
from svc_auth.device_keys k
join svc_auth.users u on u.user_id = k.user_id
join svc_auth.roles r on r.name = u.role
where k.key_id = `

const one = { name: 'svc_auth_caller', text: `${columns}$1` }
const many = { name: 'svc_auth_callers', text: `${columns}any($1)` }

export type CallerReader = (keyId: string) => Promise<CallerRow | null>

interface Waiting {
  promise: Promise<CallerRow | null>
  resolve: (row: CallerRow | null | Promise<CallerRow>) => void
  reject: (error: unknown) => void
}

/**
 * Reads the key of a request from the database, every time: a revoked key is refused on its next
 * request. Requests that arrive in the same turn of the event loop share one statement, which makes
 * that affordable.
 */
export function createCallerReader(pool: Pool, rolesAtGates: ReadonlySet<string>): CallerReader {
  let turn = new Map<string, Waiting>()
  const given = { read, rolesAtGates }

  async function readTurn() {
    const waiting = turn
    turn = new Map()
    const keyIds = [...waiting.keys()]
    try {
      const { rows } = await (keyIds.length === 1
        ? pool.query<Stored<CallerRow>>({ ...one, values: keyIds })
        : pool.query<Stored<CallerRow>>({ ...many, values: [keyIds] }))
      // A support key is read with its operator, so that no check of a key needs to know of
      // support.
      for (const stored of rows) {
        const row = withRoles<CallerRow>(stored)
        waiting.get(row.keyId)?.resolve(row.kind === 'support' ? withOperator(row, given) : row)
      }
      // The requests whose key has a row are resolved already.
      for (const { resolve } of waiting.values()) resolve(null)
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error)
    }
  }

  function read(keyId: string) {
    const same = turn.get(keyId)
    if (same) return same.promise
    // After the sockets of this turn have been read, so that all their requests are here.
    if (turn.size === 0) setImmediate(() => void readTurn())
    const waiting = Promise.withResolvers<CallerRow | null>()
    turn.set(keyId, waiting)
    return waiting.promise
  }
  return read
}
