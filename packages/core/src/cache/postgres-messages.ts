import type { Client } from 'pg'
import { newClient, valueParsers } from '../database/server.ts'
import { Position } from './postgres-position.ts'
import { restored, storable } from './postgres-text.ts'

interface Calls {
  /** There may be messages. */
  wake: () => void
  lost: (cause: unknown) => void
}

interface Row {
  id: number
  channel: string
  /** Null if this instance doesn't listen to the channel. */
  message: string | null
}

export type Messages = Awaited<ReturnType<typeof openMessages>>

/** A connection that says nothing for this long is given up: a cut cable closes no socket. */
const silenceMillis = 2000

/** So many of the largest messages fit into memory and into the time above. */
const pageRows = 100

const lastId = `
  select case when is_called then last_value else 0 end as last from svc_core.messages_id_seq`

// In one statement, which sees one moment: so an earlier message of a publisher is never seen after
// a later one.
const page = `
  with found as (
    select id, channel, message from svc_core.messages where id = any($1::bigint[])
    union all
    (select id, channel, message from svc_core.messages where id > $2 order by id limit ${pageRows})
  )
  select id, channel, case when channel = any($3::text[]) then message end as message
  from found order by id`

/** Opens a connection that new messages wake, and that reads each of them once. */
export async function openMessages(url: string, { wake, lost }: Calls) {
  const client = newClient({
    connectionString: url,
    application_name: 'svc listener',
    keepAlive: true,
    connectionTimeoutMillis: silenceMillis,
    query_timeout: silenceMillis,
    types: valueParsers,
  })
  client.on('notification', wake)
  client.on('error', lost)
  client.on('end', () => lost(new Error('The connection has ended.')))
  const position = await startListening(client).catch((error: unknown) => {
    hangUp(client)
    throw error
  })

  return {
    /** The messages of these channels, and whether there are more of them. */
    async read(channels: string[]) {
      const values = [position.missing(), position.last, channels.map(storable)]
      const query = { name: 'svc_messages_read', text: page, values, query_timeout: silenceMillis }
      const { rows } = await client.query<Row>(query)
      const fresh = rows.filter(({ id }) => id > position.last)
      for (const { id } of rows) position.pass(id)
      return { messages: rows.flatMap(messageOf), hasMore: fresh.length === pageRows }
    },
    close: () => hangUp(client),
  }
}

async function startListening(client: Client) {
  await client.connect()
  await client.query('listen svc_messages')
  const { rows } = await client.query<{ last: number }>(lastId)
  return new Position(rows[0]?.last ?? 0)
}

function messageOf({ channel, message }: Row) {
  return message === null ? [] : [{ channel: restored(channel), message: restored(message) }]
}

function hangUp(client: Client) {
  client.end().catch(() => {})
}
