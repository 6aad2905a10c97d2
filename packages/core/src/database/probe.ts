import type { Client, ClientConfig } from 'pg'
import { openClient } from './client.ts'

/** Well under the second in which health answers. */
const limitMillis = 800

const look = `
  select extract(epoch from clock_timestamp())::float8 * 1000 as millis,
    current_setting('transaction_read_only') = 'on' as "isReadOnly"`

interface Seen {
  now: Date
  /** A standby, or a primary that was told to take no writes. */
  isReadOnly: boolean
}

/** Looks at the database on a connection of its own: a busy pool is not a broken database. */
export function createProbe(config: ClientConfig) {
  const quick = { ...config, connectionTimeoutMillis: limitMillis, query_timeout: limitMillis }
  let connected: Promise<Client> | null = null
  let asked: Promise<Seen | null> | null = null

  async function ask() {
    connected ??= openClient(quick)
    const current = connected
    try {
      const client = await current
      const { rows } = await client.query<{ millis: number; isReadOnly: boolean }>(look)
      return { now: new Date(Number(rows[0]?.millis)), isReadOnly: rows[0]?.isReadOnly === true }
    } catch {
      connected = null
      current.then(hangUp, () => {})
      return null
    }
  }

  return {
    /** Null when it does not answer. */
    look() {
      asked ??= ask().finally(() => {
        asked = null
      })
      return asked
    },
    async close() {
      await connected?.then((client) => client.end()).catch(() => {})
    },
  }
}

function hangUp(client: Client) {
  client.end().catch(() => {})
}
