import type { Pool, PoolClient } from 'pg'
import { deleteEnded } from '../database/database.ts'
import type { AnswerHeaders } from '../request/client.ts'

type Client = Pick<PoolClient, 'query'>

/** The answer to the first request of a key. */
export interface Kept {
  fingerprint: string
  status: number
  headers: AnswerHeaders
  body: string | null
}

interface Asked {
  id: string
  now: Date
}

/** Takes the key for this transaction. False if another one has it. */
export async function claim(client: Client, lock: bigint) {
  const { rows } = await client.query<{ is_free: boolean }>({
    name: 'svc_idempotency_claim',
    text: 'select pg_try_advisory_xact_lock($1::bigint) as is_free',
    values: [String(lock)],
  })
  return rows[0]?.is_free === true
}

/** In a statement of its own, because it must see what the statement before it has waited for. */
export async function findKept(client: Client, { id, now }: Asked) {
  const { rows } = await client.query<Kept>({
    name: 'svc_idempotency_find',
    text: `select fingerprint, status, headers, body from svc_core.idempotency_keys
      where id = $1 and expires_at > $2`,
    values: [id, now],
  })
  return rows[0] ?? null
}

/** It replaces an expired one that still exists. */
export async function keep(
  client: Client,
  { id, now, ...kept }: Kept & Asked & { expiresAt: Date },
) {
  const { fingerprint, status, headers, body, expiresAt } = kept
  const { rowCount } = await client.query({
    name: 'svc_idempotency_keep',
    text: `insert into svc_core.idempotency_keys as kept (id, fingerprint, status, headers, body, expires_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (id) do update set fingerprint = excluded.fingerprint, status = excluded.status,
        headers = excluded.headers, body = excluded.body, expires_at = excluded.expires_at
      where kept.expires_at <= $7`,
    values: [id, fingerprint, status, JSON.stringify(headers), body, expiresAt, now],
  })
  if (rowCount !== 1) throw new Error('The key was used while its request ran.')
}

/** Deletes expired answers. */
export async function forgetKept(pool: Pick<Pool, 'query'>, now: Date) {
  await deleteEnded(pool, { table: 'svc_core.idempotency_keys', until: 'expires_at' }, now)
}
