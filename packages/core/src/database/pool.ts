import type { ClientConfig, PoolConfig } from 'pg'
import type { Log } from '../observation/observation.ts'
import { newPool } from './client.ts'
import { valueParsers } from './value-parsers.ts'

export type PoolLog = Pick<Log, 'warn' | 'error'>

/**
 * A request is answered within 5 s even if the database hangs, so each wait ends a second before
 * that.
 */
const waitMillis = 4000

export function configFor(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'svc',
    keepAlive: true,
    connectionTimeoutMillis: waitMillis,
    // `?query_timeout=60000` in the URL allows slower statements.
    query_timeout: waitMillis,
    types: valueParsers,
  }
}

export function createPool(config: PoolConfig, log: PoolLog) {
  const pool = newPool(config)
  // Its stack is that of the driver, and doesn't show which code asked.
  pool.on('error', ({ message }) =>
    log.warn({ reason: message }, 'an idle database connection was lost'),
  )
  // A connection that dies between two statements of a transaction must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
