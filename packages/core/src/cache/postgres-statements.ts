import { newPool, valueParsers } from '../database/server.ts'

interface Statement {
  /** Prepared once per connection under this name. */
  name: string
  text: string
  values?: unknown[]
}

type Row = Record<string, string>

/** When its caller began to wait. */
interface Patience {
  since?: number
}

export type Statements = ReturnType<typeof openStatements>

/** A caller is refused within a second, and the answer takes some of it. */
const answerMillis = 800
const connectMillis = 600

/** What its caller was refused does not run later, behind the lock of another. */
const limit = {
  text: `set statement_timeout = ${answerMillis}`,
  query_timeout: answerMillis - connectMillis,
}

/**
 * A few connections beside the application's own: its transactions may hold all of those while they wait for the
 * cache, and what the cache does must not be undone with them.
 */
export function openStatements(url: string) {
  const pool = newPool({
    connectionString: url,
    application_name: 'svc cache',
    keepAlive: true,
    max: 4,
    connectionTimeoutMillis: connectMillis,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, whatever its type says
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
