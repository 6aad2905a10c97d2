import type { Client } from 'pg'
import { newClient } from '../database/server.ts'
import type { ServerDefinition } from '../definition/definition.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import type { EventStreamOptions } from '../streams/streams.ts'

type Needs = Pick<Infrastructure, 'database' | 'cache' | 'log'>

const lookMillis = 60_000
const patienceMillis = 2000

/** Each instance holds this shared lock as long as its connection lives. */
const lock = '390164, 25'
const count = `
  select count(*)::int as instances from pg_locks
  where locktype = 'advisory' and (classid, objid, objsubid) = (390164, 25, 2)
    and database = (select oid from pg_database where datname = current_database())`

/**
 * Without a shared cache, streams get only the events of their own process, and open only with its
 * own tokens. This logs that once, when another instance appears. Returns a function that ends the
 * watch.
 */
export async function watchUnsharedStreams(
  { settings: { events, websockets } }: ServerDefinition,
  { database, cache, log }: Needs,
): Promise<() => Promise<void>> {
  const isConcerned = [events, websockets].some(
    (streams) => streams && wantsOthers(streams.options),
  )
  if (!database || cache.shared || !isConcerned) return async () => {}
  // A lock would stay with a connection of the pooler, and count for ever.
  if (!(await database.keepsSessions())) return async () => {}
  const presence = announcePresence(database.directUrl)
  let said = false

  /** If the database does not answer, the next look is enough. */
  async function look() {
    const instances = await presence.instances().catch(() => 1)
    if (instances === 1 || said) return
    said = true
    log.warn(
      'another instance uses this database, and events and stream tokens stay in the process they are made in: set CACHE_URL to redis://… or to postgres:',
    )
  }

  await look()
  const timer = setInterval(() => void look(), lookMillis)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await presence.end()
  }
}

/**
 * With `multiInstance: false`, events should stay in this process. Tokens are still looked for
 * elsewhere.
 */
function wantsOthers({ multiInstance, auth }: Pick<EventStreamOptions, 'multiInstance' | 'auth'>) {
  const hasTokens = auth?.enabled && !auth.store && !auth.tokenManager
  return multiInstance !== false || hasTokens
}

/** Holds the lock on a connection of its own, and counts the others that hold it. */
function announcePresence(url: string) {
  let connected: Promise<Client> | null = null

  async function announce() {
    const client = newClient({
      connectionString: url,
      application_name: 'svc presence',
      keepAlive: true,
      connectionTimeoutMillis: patienceMillis,
      query_timeout: patienceMillis,
    })
    client.on('error', () => {})
    client.on('end', () => {
      connected = null
    })
    await client.connect()
    await client.query(`select pg_advisory_lock_shared(${lock})`)
    return client
  }

  return {
    async instances() {
      connected ??= announce()
      const client = await connected.catch((error: unknown) => {
        connected = null
        throw error
      })
      const { rows } = await client.query<{ instances: number }>(count)
      return rows[0]?.instances ?? 1
    },
    async end() {
      await connected?.then((client) => client.end()).catch(() => {})
    },
  }
}
