import { Client, type ClientConfig } from 'pg'

/** Well under the second in which health answers. */
const limitMillis = 800

/** Asks the database whether it answers, on a connection of its own: a busy pool is not a broken database. */
export function createProbe(config: ClientConfig) {
  let connected: Promise<Client> | null = null
  let asked: Promise<boolean> | null = null

  async function ask() {
    connected ??= connect(config)
    const current = connected
    try {
      const client = await current
      await client.query('select')
      return true
    } catch {
      connected = null
      current.then(hangUp, () => {})
      return false
    }
  }

  return {
    isUp() {
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
