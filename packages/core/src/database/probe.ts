import { Client, type ClientConfig } from 'pg'

/** Well under the second in which health answers. */
const limitMillis = 800

const time = 'select extract(epoch from clock_timestamp())::float8 * 1000 as millis'

/** Asks the database for its time, on a connection of its own: a busy pool is not a broken database. */
export function createProbe(config: ClientConfig) {
  let connected: Promise<Client> | null = null
  let asked: Promise<Date | null> | null = null

  async function ask() {
    connected ??= connect(config)
    const current = connected
    try {
      const client = await current
      const { rows } = await client.query<{ millis: number }>(time)
      return new Date(Number(rows[0]?.millis))
    } catch {
      connected = null
      current.then(hangUp, () => {})
      return null
    }
  }

  return {
    /** Null when it does not answer. */
    now() {
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

async function connect(config: ClientConfig) {
  const client = new Client({
    ...config,
    connectionTimeoutMillis: limitMillis,
    query_timeout: limitMillis,
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    hangUp(client)
    throw error
  }
  return client
}

function hangUp(client: Client) {
  client.end().catch(() => {})
}
