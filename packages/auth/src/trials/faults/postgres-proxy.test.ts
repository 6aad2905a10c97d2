import { connect } from 'node:net'
import { createTestDatabase } from '@svc/core/testing'
import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { createFraming } from './postgres-messages.ts'
import { startPostgresProxy } from './postgres-proxy.ts'

const database = await createTestDatabase()
const proxy = await startPostgresProxy(database.url)
afterAll(async () => {
  proxy.stop()
  await database.drop()
})

async function connected() {
  const client = new Client({ connectionString: proxy.url, query_timeout: 500 })
  client.on('error', () => {})
  await client.connect()
  return client
}

const count = async () => (await database.pool.query('select from struck')).rowCount

describe('the proxy before PostgreSQL', () => {
  it('passes everything on, and counts what comes back', async () => {
    const client = await connected()
    const shot = proxy.take(null)
    await client.query('create table struck (id int)')
    await client.query('begin')
    await client.query('insert into struck values ($1)', [1])
    await client.query('commit')
    // CommandComplete and ReadyForQuery of three; five answers to a statement with a parameter.
    expect(shot).toEqual({ messages: 11, commits: 1, hasHit: false })
    await client.end()
    expect(await count()).toBe(1)
  })

  it('cuts the connection at a message: what was not committed is not there', async () => {
    const client = await connected()
    const shot = proxy.take({ message: 3 })
    await client.query('begin')
    await expect(client.query('insert into struck values (2)')).rejects.toThrow(/terminated/)
    expect(shot).toMatchObject({ messages: 3, hasHit: true })
    await expect.poll(count).toBe(1)
  })

  it('cuts it as COMMIT comes back: it is done, and no client has heard', async () => {
    const client = await connected()
    const shot = proxy.take({ commit: 1 })
    await client.query('begin')
    await client.query('insert into struck values (3)')
    await expect(client.query('commit')).rejects.toThrow(/terminated/)
    expect(shot).toMatchObject({ commits: 1, hasHit: true })
    expect(await count()).toBe(2)
  })

  it('stalls the connection, and no other', async () => {
    const [client, other] = [await connected(), await connected()]
    proxy.take({ message: 1 }, 'stall')
    await expect(client.query('select')).rejects.toThrow(/timeout/)
    expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await Promise.all([client.end(), other.end()])
  })

  it('counts no statement of the queue that is in no transaction', async () => {
    const client = await connected()
    const shot = proxy.take({ message: 1 })
    await client.query("select 'svc_jobs'")
    expect(shot.messages).toBe(0)
    proxy.lower()
    await client.end()
  })

  it('answers itself who asks for TLS', async () => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
    const said = await new Promise((resolve) => {
      socket.once('data', (bytes) => resolve(String(bytes)))
    })
    expect(said).toBe('N')
    socket.destroy()
  })
})

it('puts messages together that arrive byte by byte', () => {
  const messages = createFraming('backend')
  const bytes = Buffer.from('C\0\0\0\x0bCOMMIT\0Z\0\0\0\x05I')
  const got = [...bytes].flatMap((byte) => [...messages(Buffer.from([byte]))])
  expect(got.map(({ kind, bytes: { length } }) => [kind, length])).toEqual([
    ['C', 12],
    ['Z', 6],
  ])
})
