import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineServer,
  type HistoryOptions,
  t,
} from '../../index.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { asUser, tokenOf } from '../test-socket.ts'
import { openTestStream, type TestStream } from '../test-stream.ts'

const soon = { interval: 5, timeout: 5000 }

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Given {
  env?: Record<string, string>
  isOpen?: boolean
  maxNames?: number
  history?: HistoryOptions
  /** Who may follow an order: those whose id it begins with unless set. */
  rule?: (subject: string, id: string) => boolean | Promise<boolean>
}

/** An instance with events of its own making, as another process would have it. */
async function start({
  env = {},
  isOpen = false,
  rule = (subject, id) => id.startsWith(subject),
  history,
  ...options
}: Given = {}) {
  const news = defineEvent('news', t.Object({ text: t.String() }))
  const changed = defineChannel('order.changed', t.Object({ status: t.String() }))
  const auth = {
    enabled: true,
    channels: { changed: rule },
  }
  const given = { ...options, ...(!isOpen && { auth }) }
  const definition = defineServer()
    .use([asUser])
    .events(defineEventRouter({ news, changed }, history && { history }), given)
  const server = await startTestServer(definition, { env })
  closers.push(server.stop)
  const open = async (names: string, user = 'u1') => {
    const token = isOpen ? '' : `&token=${await tokenOf(server, user)}`
    const stream = await openTestStream(`${server.url}/events/stream?events=${names}${token}`)
    expect(stream.status).toBe(200)
    await vi.waitFor(() => expect(stream.frames).toHaveLength(1), soon)
    closers.unshift(async () => stream.close())
    return stream
  }
  const change = async (stream: TestStream | string, names: object, user = 'u1') => {
    const handle = typeof stream === 'string' ? stream : handleOf(stream)
    const answer = await server.fetch('/events/subscriptions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(user && { 'x-user': user }) },
      body: JSON.stringify({ stream: handle, ...names }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  return { ...server, news, changed, open, change }
}

const handleOf = ({ frames }: TestStream) =>
  (frames[0]?.data as { stream: string } | undefined)?.stream ?? ''

const got = ({ frames }: TestStream) => frames.slice(1).map(({ event, data }) => [event, data])

describe('a request beside an event stream', () => {
  it('has it follow a channel, and another no longer', async () => {
    const { open, change, changed } = await start()
    const stream = await open('news,changed:u1-a')
    expect(await change(stream, { subscribe: ['changed:u1-b'] })).toEqual({
      status: 200,
      body: { events: ['news', 'changed:u1-a', 'changed:u1-b'] },
    })
    await changed.of('u1-b').emit({ status: 'paid' })
    await vi.waitFor(
      () => expect(got(stream)).toEqual([['changed:u1-b', { status: 'paid' }]]),
      soon,
    )
    expect((await change(stream, { unsubscribe: ['changed:u1-b', 'news'] })).body).toEqual({
      events: ['changed:u1-a'],
    })
    await changed.of('u1-b').emit({ status: 'sent' })
    await changed.of('u1-a').emit({ status: 'last' })
    await vi.waitFor(
      () => expect(got(stream).at(-1)).toEqual(['changed:u1-a', { status: 'last' }]),
      soon,
    )
    expect(got(stream)).toHaveLength(2)
  })

  it('changes no stream of another user', async () => {
    const { open, change, changed } = await start()
    const stream = await open('changed:u1-a')
    const notFound = { status: 404, body: { __type: 'NotFoundError', resource: 'Stream' } }
    expect(await change(stream, { subscribe: ['changed:u2-a'] }, 'u2')).toMatchObject(notFound)
    expect(await change(stream, { unsubscribe: ['changed:u1-a'] }, 'u2')).toMatchObject(notFound)
    expect(await change(stream, { unsubscribe: ['changed:u1-a'] }, '')).toMatchObject({
      status: 401,
    })
    const unknown = [`${handleOf(stream).slice(0, -1)}x`, '', 'x', '00000000-00', '__proto__', '-']
    for (const handle of unknown) {
      expect(await change(handle, { subscribe: ['news'] })).toMatchObject(notFound)
    }
    await changed.of('u1-a').emit({ status: 'paid' })
    await vi.waitFor(() => expect(got(stream)).toHaveLength(1), soon)
  })

  it('follows what its user may, and says so of the rest', async () => {
    const { open, change, changed } = await start()
    const stream = await open('changed:u1-a')
    expect(await change(stream, { subscribe: ['changed:u2-a'] })).toMatchObject({
      status: 403,
      body: { __type: 'ForbiddenError' },
    })
    const some = await change(stream, { subscribe: ['changed:u2-a', 'changed:u1-b'] })
    expect(some.body).toEqual({ events: ['changed:u1-a', 'changed:u1-b'] })
    await changed.of('u2-a').emit({ status: 'secret' })
    await changed.of('u1-b').emit({ status: 'paid' })
    await vi.waitFor(
      () => expect(got(stream)).toEqual([['changed:u1-b', { status: 'paid' }]]),
      soon,
    )
  })

  it.each([
    [{ subscribe: ['other'] }, 'body.subscribe', 'must name events of this stream'],
    [{ subscribe: ['changed'] }, 'body.subscribe', 'must name events of this stream'],
    [{ unsubscribe: ['changed:'] }, 'body.unsubscribe', 'must name events of this stream'],
    [
      { subscribe: ['news', 'changed:u1-1', 'changed:u1-2', 'changed:u1-3'] },
      'body.subscribe',
      'must name at most 4 events',
    ],
    [{ subscribe: 'news' }, 'body.subscribe', expect.any(String)],
    [{ subscribe: [1] }, 'body.subscribe.0', expect.any(String)],
  ])('is refused that names what no stream has, or too much: %j', async (names, path, message) => {
    const { open, change } = await start({ maxNames: 4 })
    const answer = await change(await open('changed:u1-a'), names)
    expect(answer).toMatchObject({
      status: 400,
      body: { __type: 'ValidationError', fields: [{ path, message }] },
    })
  })

  it('fills a stream that follows nothing yet, and can empty it again', async () => {
    const { open, change, changed } = await start()
    const stream = await open('')
    expect(stream.frames[0]?.data).toMatchObject({ events: [] })
    await changed.of('u1-a').emit({ status: 'early' })
    expect((await change(stream, { subscribe: ['changed:u1-a'] })).body).toEqual({
      events: ['changed:u1-a'],
    })
    await changed.of('u1-a').emit({ status: 'paid' })
    await vi.waitFor(
      () => expect(got(stream)).toEqual([['changed:u1-a', { status: 'paid' }]]),
      soon,
    )
    expect((await change(stream, { unsubscribe: ['changed:u1-a'] })).body).toEqual({ events: [] })
  })

  it('says with a history behind which id the added channels begin', async () => {
    const { open, change, changed } = await start({ history: { size: 10, ttl: 60_000 } })
    const stream = await open('changed:u1-a')
    for (const status of ['one', 'two']) await changed.of('u1-b').emit({ status })
    const { body } = await change(stream, { subscribe: ['changed:u1-b'] })
    await changed.of('u1-b').emit({ status: 'three' })
    await vi.waitFor(() => expect(got(stream)).toHaveLength(1), soon)
    const [epoch, position] = String(body.id).split('-')
    expect(stream.frames[1]).toMatchObject({
      data: { status: 'three' },
      id: `${epoch}-${Number(position) + 1}`,
    })
  })

  it('finds none that has ended', async () => {
    const { open, change, infrastructure } = await start()
    const stream = await open('changed:u1-a')
    infrastructure.streams.end('u1')
    expect(await change(stream, { subscribe: ['news'] })).toMatchObject({ status: 404 })
    await stream.ended
    expect(await change(stream, { subscribe: ['news'] })).toMatchObject({ status: 404 })
  })

  it('needs no user where streams are not authenticated, only the name of the stream', async () => {
    const { open, change, changed } = await start({ isOpen: true })
    const stream = await open('news')
    expect((await change(stream, { subscribe: ['changed:o1'] }, '')).body).toEqual({
      events: ['news', 'changed:o1'],
    })
    await changed.of('o1').emit({ status: 'paid' })
    await vi.waitFor(() => expect(got(stream)).toEqual([['changed:o1', { status: 'paid' }]]), soon)
  })

  it('comes to any instance', async () => {
    const database = await createTestDatabase()
    closers.push(() => database.drop())
    const env = { DATABASE_URL: database.url, CACHE_URL: 'postgres:' }
    const [here, there, other] = [await start({ env }), await start({ env }), await start({ env })]
    const stream = await here.open('changed:u1-a')
    expect(
      (await there.change(stream, { subscribe: ['changed:u1-b', 'changed:u2'] })).body,
    ).toEqual({
      events: ['changed:u1-a', 'changed:u1-b'],
    })
    expect(await there.change(stream, { subscribe: ['changed:u2'] })).toMatchObject({ status: 403 })
    expect(await other.change(stream, { subscribe: ['other'] })).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'body.subscribe', message: 'must name events of this stream' }] },
    })
    expect(await there.change(stream, { unsubscribe: ['changed:u1-a'] }, 'u2')).toMatchObject({
      status: 404,
    })
    await here.changed.of('u1-b').emit({ status: 'paid' })
    await vi.waitFor(
      () => expect(got(stream)).toEqual([['changed:u1-b', { status: 'paid' }]]),
      soon,
    )
  })

  it('says to ask again where the instance of the stream does not answer in time, or fails', async () => {
    const database = await createTestDatabase()
    closers.push(() => database.drop())
    const env = { DATABASE_URL: database.url, CACHE_URL: 'postgres:' }
    let rule: () => boolean | Promise<boolean> = () => true
    const [here, there] = [await start({ env, rule: () => rule() }), await start({ env })]
    const stream = await here.open('changed:a')
    const unavailable = { status: 503, body: { __type: 'ServiceUnavailableError' } }
    rule = () => new Promise((resolve) => setTimeout(resolve, 1500, true))
    expect(await there.change(stream, { subscribe: ['changed:b'] })).toMatchObject(unavailable)
    await vi.waitFor(async () => {
      const { body } = await here.change(stream, { unsubscribe: ['changed:a'] })
      expect(body).toEqual({ events: ['changed:b'] })
    }, soon)
    rule = () => {
      throw new Error('no answer of the database')
    }
    expect(await there.change(stream, { subscribe: ['changed:c'] })).toMatchObject(unavailable)
    expect(here.logged.filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'a stream could not follow other events' },
    ])
  })
})

it('a router without channels has no such request, and its streams have no name', async () => {
  const router = defineEventRouter({ news: defineEvent('news') })
  const server = await startTestServer(defineServer().events(router))
  closers.push(server.stop)
  const stream = await openTestStream(`${server.url}/events/stream?events=news`)
  await vi.waitFor(() => expect(stream.frames).toHaveLength(1), soon)
  expect(stream.frames[0]?.data).not.toHaveProperty('stream')
  stream.close()
  const { status } = await server.fetch('/events/subscriptions', { method: 'POST' })
  expect(status).toBe(404)
})
