import type { Client, ClientConfig, QueryResultRow } from 'pg'
import { openClient } from './client.ts'

/** Well below the second in which health answers. */
const limitMillis = 800

/**
 * A connection for questions, opened when it is needed, and again after it was lost. A busy pool is
 * not a broken database.
 */
export function createAsker(config: ClientConfig) {
  const quick = { ...config, connectionTimeoutMillis: limitMillis, query_timeout: limitMillis }
  let connected: Promise<Client> | null = null

  /** The first row of the answer; null if there is none. */
  async function ask<Row extends QueryResultRow>(statement: string): Promise<Row | null> {
    connected ??= openClient(quick)
    const current = connected
    try {
      const client = await current
      const { rows } = await client.query<Row>(statement)
      return rows[0] ?? null
    } catch {
      connected = null
      current.then(hangUp, () => {})
      return null
    }
  }

  async function close() {
    await connected?.then((client) => client.end()).catch(() => {})
  }

  return { ask, close }
}

const look = `
  select extract(epoch from clock_timestamp())::float8 * 1000 as millis,
    current_setting('transaction_read_only') = 'on' as "isReadOnly"`

interface Seen {
  now: Date
  /** A standby, or a primary that does not accept writes. */
  isReadOnly: boolean
}

/** Checks the database. */
export function createProbe(config: ClientConfig) {
  const { ask, close } = createAsker(config)
  let asked: Promise<Seen | null> | null = null

  async function askOnce() {
    const row = await ask<{ millis: number; isReadOnly: boolean }>(look)
    return row && { now: new Date(row.millis), isReadOnly: row.isReadOnly }
  }

  return {
    /** Null if it does not answer. */
    look() {
      asked ??= askOnce().finally(() => {
        asked = null
      })
      return asked
    },
    close,
  }
}

function hangUp(client: Client) {
  client.end().catch(() => {})
}
