import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineServer,
  defineWebSocketRouter,
  type EventStreamOptions,
  type HistoryOptions,
  t,
} from '../index.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { asUser, openTestWebSocket, tokenOf } from './test-socket.ts'
import { openTestStream, type TestStream } from './test-stream.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

const news = defineEvent('news', t.Object({ text: t.String() }))
const orderChanged = defineChannel('order.changed', t.Object({ status: t.String() }))
const roomSaid = defineChannel('room.said', z.object({ text: z.string().trim() }))
const events = { news, orderChanged, roomSaid }

type Auth = Partial<NonNullable<EventStreamOptions<typeof events>['auth']>>

interface Given {
  auth?: Auth
  history?: HistoryOptions
  maxNames?: number
}

async function start({ auth, history, ...options }: Given = {}) {
  const given = { ...options, ...(auth && { auth: { enabled: true, ...auth } }) }
  const definition = defineServer()
    .use([asUser])
    .events(defineEventRouter(events, history && { history }), given)
    .websockets(defineWebSocketRouter({ events, ...(history && { history }) }), given)
  const server = await startTestServer(definition)
  running.push(server)
  const token = (user: string) => (auth ? tokenOf(server, user) : '')
  const open = async (names: string, { user = 'u1', lastId = '' } = {}) => {
    const stream = await openTestStream(
      `${server.url}/events/stream?events=${names}&token=${await token(user)}`,
      lastId ? { 'last-event-id': lastId } : {},
    )
    if (stream.status === 200) {
      await vi.waitFor(() => expect(stream.frames.length).toBeGreaterThan(0), soon)
    }
    return stream
  }
  const openSocket = async (query = '', user = 'u1') =>
    openTestWebSocket(`${server.url}/events/ws?token=${await token(user)}${query}`)
  return { ...server, open, openSocket }
}

const got = (stream: TestStream) =>
  stream.frames.flatMap(({ event, data }) => (event === 'connected' ? [] : [[event, data]]))

const ownOrders: Auth = {
  channels: {
    orderChanged: (subject, id) => id.startsWith(subject),
    roomSaid: () => true,
  },
}

describe('a channel', () => {
  it('is followed by name, and sends what is said of its resource, and nothing else', async () => {
    const { open } = await start()
    const stream = await open('orderChanged:o1,news')
    await orderChanged.of('o2').emit({ status: 'paid' })
    await orderChanged.of('o1').emit({ status: 'sent' })
    await news.emit({ text: 'hi' })
    await vi.waitFor(
      () =>
        expect(got(stream)).toEqual([
          ['orderChanged:o1', { status: 'sent' }],
          ['news', { text: 'hi' }],
        ]),
      soon,
    )
  })

  it('hands its resource and what is said of it to handlers', async () => {
    const heard = vi.fn()
    const leave = roomSaid.subscribe(heard)
    await roomSaid.of('r1').emit({ text: ' hi ' })
    leave()
    expect(heard).toHaveBeenCalledWith({ of: 'r1', data: { text: ' hi ' } })
  })

  it('checks what is said by its schema, of whichever library', async () => {
    const { open } = await start()
    const stream = await open('roomSaid:r1')
    await roomSaid.of('r1').emit({ text: ' hi ' })
    await expect(roomSaid.of('r1').emit({ text: 7 } as never)).rejects.toMatchObject({
      name: 'EventPayloadError',
      fields: [{ path: 'payload.data.text' }],
    })
    await expect(orderChanged.of('o1').emit({ status: 7 } as never)).rejects.toMatchObject({
      fields: [{ path: 'payload.data.status' }],
    })
    await vi.waitFor(() => expect(got(stream)).toEqual([['roomSaid:r1', { text: 'hi' }]]), soon)
  })

  it.each(['', 'a\nb', 'a,b', 'x'.repeat(201)])('has no id like %j', (id) => {
    expect(() => orderChanged.of(id)).toThrow('1 to 200 characters')
  })

  it.each([
    'orderChanged',
    'orderChanged:',
    'news:o1',
    'other:o1',
    `orderChanged:${'x'.repeat(201)}`,
    'orderChanged:a%0Ab',
  ])('is not asked for as %s', async (name) => {
    const { open } = await start()
    expect(await open(name)).toMatchObject({ status: 400 })
  })

  it('is understood when its name is encoded, or the whole list is', async () => {
    const { open } = await start()
    for (const list of ['orderChanged%3Aa%3Ab,news', 'orderChanged%3Aa%3Ab%2Cnews']) {
      const stream = await open(list)
      expect(stream.frames[0]?.data).toMatchObject({ events: ['orderChanged:a:b', 'news'] })
    }
  })

  it('is one of at most so many names of a stream', async () => {
    const { open } = await start({ maxNames: 3 })
    expect(await open('news,orderChanged:1,orderChanged:2')).toMatchObject({ status: 200 })
    expect(await open('news,orderChanged:1,orderChanged:2,orderChanged:3')).toMatchObject({
      status: 400,
    })
  })

  it('shares its names with no other event of its router', () => {
    expect(() => defineEventRouter({ a: orderChanged, 'a:b': news })).toThrow('a:b')
    expect(() =>
      defineWebSocketRouter({ events: { a: orderChanged }, messages: { subscribe: () => {} } }),
    ).toThrow('subscribe')
  })
})

describe('who may follow a channel', () => {
  it('is asked once for each that a stream asks for', async () => {
    const asked = vi.fn((subject: string, id: string) => id.startsWith(subject))
    const { open } = await start({ auth: { channels: { orderChanged: asked, roomSaid: asked } } })
    const stream = await open('orderChanged:u1-a,orderChanged:u2-b,roomSaid:u1')
    expect(stream.frames[0]?.data).toMatchObject({ events: ['orderChanged:u1-a', 'roomSaid:u1'] })
    await orderChanged.of('u2-b').emit({ status: 'paid' })
    await orderChanged.of('u1-a').emit({ status: 'paid' })
    await vi.waitFor(() => expect(got(stream)).toHaveLength(1), soon)
    expect(asked).toHaveBeenCalledTimes(3)
    expect(await open('orderChanged:u2-b')).toMatchObject({ status: 403 })
  })

  it('is said for every channel of streams that know their subject, or nothing starts', async () => {
    await expect(start({ auth: { channels: { orderChanged: () => true } } })).rejects.toThrow(
      'No rule says who may follow the channel "roomSaid"',
    )
  })

  it('lets no stream in by an answer that is not true', async () => {
    const yes = (() => 'yes') as unknown as () => boolean
    const { open } = await start({ auth: { channels: { orderChanged: yes, roomSaid: yes } } })
    expect(await open('orderChanged:o1')).toMatchObject({ status: 403 })
  })

  it('is asked again for what is sent again', async () => {
    let isOpen = true
    const { open } = await start({
      auth: { channels: { orderChanged: () => isOpen, roomSaid: () => true } },
      history: { size: 100, ttl: 60_000 },
    })
    const stream = await open('orderChanged:o1,roomSaid:r1')
    stream.close()
    await orderChanged.of('o1').emit({ status: 'secret' })
    await roomSaid.of('r1').emit({ text: 'hi' })
    isOpen = false
    const again = await open('orderChanged:o1,roomSaid:r1', { lastId: stream.frames[0]?.id ?? '' })
    await vi.waitFor(() => expect(got(again)).toEqual([['roomSaid:r1', { text: 'hi' }]]), soon)
  })

  it('is asked again when the role of the account changes', async () => {
    let isOpen = true
    const { open, infrastructure } = await start({
      auth: { channels: { orderChanged: () => isOpen, roomSaid: () => true } },
    })
    const stream = await open('orderChanged:o1,roomSaid:r1')
    isOpen = false
    infrastructure.streams.reauthorize('u1')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await orderChanged.of('o1').emit({ status: 'secret' })
    await roomSaid.of('r1').emit({ text: 'hi' })
    await vi.waitFor(() => expect(got(stream)).toEqual([['roomSaid:r1', { text: 'hi' }]]), soon)
  })
})

describe('a WebSocket', () => {
  it('follows other channels while it is open', async () => {
    const { openSocket } = await start({ auth: ownOrders })
    const socket = await openSocket('&events=news')
    socket.send('subscribe', { events: ['orderChanged:u1-a', 'orderChanged:u1-b'] })
    await vi.waitFor(
      () =>
        expect(socket.dataOf('subscribed')).toEqual([
          { events: ['news', 'orderChanged:u1-a', 'orderChanged:u1-b'] },
        ]),
      soon,
    )
    await orderChanged.of('u1-a').emit({ status: 'one' })
    await vi.waitFor(() => expect(socket.dataOf('orderChanged:u1-a')).toHaveLength(1), soon)
    socket.send('unsubscribe', { events: ['orderChanged:u1-a', 'news'] })
    await vi.waitFor(() => expect(socket.dataOf('subscribed')).toHaveLength(2), soon)
    await orderChanged.of('u1-a').emit({ status: 'two' })
    await orderChanged.of('u1-b').emit({ status: 'three' })
    await vi.waitFor(() => expect(socket.dataOf('orderChanged:u1-b')).toHaveLength(1), soon)
    expect(socket.dataOf('orderChanged:u1-a')).toEqual([{ status: 'one' }])
  })

  it('follows nothing at first where it names nothing, and all events where it has no list', async () => {
    const { openSocket } = await start({ auth: ownOrders })
    const [socket, other] = [await openSocket('&events='), await openSocket()]
    await vi.waitFor(() => expect(socket.dataOf('connected')).toMatchObject([{ events: [] }]), soon)
    await vi.waitFor(
      () => expect(other.dataOf('connected')).toMatchObject([{ events: ['news'] }]),
      soon,
    )
    socket.send('subscribe', { events: ['orderChanged:u1-a'] })
    await vi.waitFor(
      () => expect(socket.dataOf('subscribed')).toEqual([{ events: ['orderChanged:u1-a'] }]),
      soon,
    )
    await news.emit({ text: 'hi' })
    await orderChanged.of('u1-a').emit({ status: 'one' })
    await vi.waitFor(() => expect(socket.dataOf('orderChanged:u1-a')).toHaveLength(1), soon)
    expect(socket.dataOf('news')).toEqual([])
  })

  it('is told what it may not follow, what there is not, and what is too much', async () => {
    const { openSocket } = await start({ auth: ownOrders, maxNames: 3 })
    const socket = await openSocket('&events=news')
    const codes = () => socket.dataOf('error').map((error) => (error as { code: string }).code)
    socket.send('subscribe', { events: ['orderChanged:u2'] })
    socket.send('subscribe', { events: ['orderChanged'] })
    socket.send('subscribe', { events: [] })
    socket.send('subscribe', { events: ['roomSaid:1', 'roomSaid:2', 'roomSaid:3'] })
    await vi.waitFor(
      () =>
        expect(codes()).toEqual([
          'ForbiddenError',
          'ValidationError',
          'ValidationError',
          'ValidationError',
        ]),
      soon,
    )
    const paths = socket
      .dataOf('error')
      .slice(1)
      .map((error) => (error as { fields: { path: string }[] }).fields[0]?.path)
    expect(paths).toEqual(['data.events', 'data.events', 'data.events'])
    await roomSaid.of('1').emit({ text: 'hi' })
    await news.emit({ text: 'hi' })
    await vi.waitFor(() => expect(socket.dataOf('news')).toHaveLength(1), soon)
    expect(socket.dataOf('roomSaid:1')).toEqual([])
  })

  it('loses what a changed role takes away, also of what it has followed since', async () => {
    let isOpen = true
    const { openSocket, infrastructure } = await start({
      auth: { channels: { orderChanged: () => isOpen, roomSaid: () => true } },
    })
    const socket = await openSocket('&events=news')
    socket.send('subscribe', { events: ['orderChanged:o1', 'roomSaid:r1'] })
    await vi.waitFor(() => expect(socket.dataOf('subscribed')).toHaveLength(1), soon)
    isOpen = false
    infrastructure.streams.reauthorize('u1')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await orderChanged.of('o1').emit({ status: 'secret' })
    await roomSaid.of('r1').emit({ text: 'hi' })
    await vi.waitFor(() => expect(socket.dataOf('roomSaid:r1')).toHaveLength(1), soon)
    expect(socket.dataOf('orderChanged:o1')).toEqual([])
  })
})
