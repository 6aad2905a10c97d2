import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig, Pool, PoolClient } from 'pg'
import { openClient } from './client.ts'
import { DatabaseConnectionError } from './errors.ts'

/** PostgreSQL's codes for a prepared statement that exists already, and for one that is missing. */
const lost = /^(?:42P05|26000)$/

const backend = 'select pg_backend_pid() as pid'

/** How long a message may take from one connection to another. */
const messageMillis = 1000

/** A pooler returns process numbers of its own, not PostgreSQL's. */
async function isPooled(client: Pick<PoolClient, 'query'>) {
  const { rows } = await client.query<{ pid: number }>(backend)
  return rows[0]?.pid !== (client as { processID?: number | null }).processID
}

/**
 * Whether a pooler is in front of PostgreSQL. A pooler that loses prepared statements is refused:
 * it would work only until two connections meet.
 */
export async function checkPooler(pool: Pool) {
  const first = await pool.connect()
  let isBetween = false
  try {
    isBetween = await isPooled(first)
    if (isBetween) await checkStatements(first, pool)
    return isBetween
  } finally {
    // Other connections must not get what it prepared under this name.
    first.release(isBetween)
  }
}

/**
 * Two connections prepare different statements under one name. The pooler has one connection for
 * both, unless others use it too. Then another start will find it.
 */
async function checkStatements(first: PoolClient, pool: Pool) {
  const second = await pool.connect()
  try {
    await first.query({ name: 'svc_pooler', text: `${backend}, 1 as at` })
    await second.query({ name: 'svc_pooler', text: `${backend}, 2 as at` })
  } catch (cause) {
    if (!lost.test((cause as { code?: string }).code ?? '')) throw cause
    throw new DatabaseConnectionError(
      'The pooler before PostgreSQL loses prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements above 0, or its session mode.',
      { cause },
    )
  } finally {
    second.release(true)
  }
}

/**
 * Whether a connection stays on the same PostgreSQL session between its transactions, as LISTEN
 * needs.
 */
export async function keepsSession(config: ClientConfig) {
  const listening = await openClient(config)
  try {
    return !(await isPooled(listening)) || (await hears(listening, config))
  } finally {
    listening.end().catch(() => {})
  }
}

type Listening = Awaited<ReturnType<typeof openClient>>

async function hears(listening: Listening, config: ClientConfig) {
  const telling = await openClient(config)
  const word = randomUUID()
  try {
    const heard = new Promise<boolean>((resolve) => {
      listening.on('notification', ({ payload }) => payload === word && resolve(true))
    })
    await listening.query('listen svc_pooler')
    await telling.query(`select pg_notify('svc_pooler', $1)`, [word])
    const tooLate = sleep(messageMillis, false, { ref: false })
    return await Promise.race([heard, tooLate])
  } finally {
    telling.end().catch(() => {})
  }
}

/** What can't work through a pooler that shares its connections, and what to do about it. */
export function needsSession(what: string) {
  return new DatabaseConnectionError(
    `${what} need a permanent connection, but the pooler of DATABASE_URL shares its connections: set DATABASE_URL_DIRECT to the address of PostgreSQL itself.`,
  )
}
