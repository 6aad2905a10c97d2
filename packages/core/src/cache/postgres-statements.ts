import { newPool, valueParsers } from '../database/server.ts'

interface Statement {
  /** Prepared once per connection under this name. */
  name: string
  text: string
  values?: unknown[]
}

type Row = Record<string, string>

/** When its caller has begun to wait. */
interface Patience {
  since?: number
}

export type Statements = ReturnType<typeof openStatements>

/** A caller is refused within a second, and the answer takes some of it. */
const answerMillis = 800
const connectMillis = 600

/** A statement whose caller was refused must not run later, after the lock of another. */
const limit = {
  text: `set statement_timeout = ${answerMillis}`,
  query_timeout: answerMillis - connectMillis,
}

/**
 * A few connections beside the application's own. Its transactions may hold all of those while they
 * wait for the cache, and a rollback of theirs must not undo what the cache does.
 */
export function openStatements(url: string) {
  const pool = newPool({
    connectionString: url,
    application_name: 'svc cache',
    keepAlive: true,
    max: 4,
    connectionTimeoutMillis: connectMillis,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it
    onConnect: (client) => client.query(limit),
    types: valueParsers,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  return {
    async run(statement: Statement, { since = performance.now() }: Patience = {}) {
      const client = await pool.connect()
      try {
        const left = since + answerMillis - performance.now()
        const limited = { ...statement, query_timeout: Math.max(left, 100) }
        const { rows, rowCount } = await client.query<Row>(limited)
        client.release()
        return { rows, count: rowCount ?? 0 }
      } catch (error) {
        // It may still be waiting for the answer.
        client.release(true)
        throw error
      }
    },
    async close() {
      if (!pool.ending) await pool.end()
    },
  }
}
