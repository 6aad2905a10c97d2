import { once } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTestRedis } from '../../cache/test-redis.ts'
import type { ServerDefinition } from '../../definition/define-server.ts'
import {
  defineEvent,
  defineEventRouter,
  defineMessage,
  defineServer,
  defineWebSocketRouter,
  t,
} from '../../index.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { asUser, openTestWebSocket, tokenOf } from '../test-socket.ts'
import { openTestStream } from '../test-stream.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function start(definition: ServerDefinition, env = {}) {
  const server = await startTestServer(definition.use([asUser]), { env })
  running.push(server)
  const open = (query = '', protocols?: string[]) =>
    openTestWebSocket(`${server.url}/events/ws${query}`, protocols ? { protocols } : {})
  const openAs = async (user: string, query = '') =>
    open(query, ['svc.v1', `svc.token.${await tokenOf(server, user)}`])
  return { ...server, open, openAs }
}

const events = () => ({
  tick: defineEvent('clock.tick', t.Object({ n: t.Integer() })),
  done: defineEvent('clock.done'),
})
const enabled = { auth: { enabled: true } }

describe('a WebSocket', () => {
  it('gets the same events as frames of type and data, and sends messages (E-068, E-070)', async () => {
    const { tick, done } = events()
    const echo = defineMessage(t.Object({ text: t.String() }), ({ payload }) => payload)
    const router = defineWebSocketRouter({ events: { tick, done }, messages: { echo } })
    const server = await start(defineServer().websockets(router))
    const socket = await server.open()
    await tick.emit({ n: 1 })
    await done.emit()
    await vi.waitFor(() => expect(socket.frames).toHaveLength(3), soon)
    socket.send('echo', { text: 'hi' })
    await vi.waitFor(() => expect(socket.frames).toHaveLength(4), soon)
    expect(socket.frames).toEqual([
      {
        type: 'connected',
        data: { events: ['tick', 'done'], timestamp: server.clock.now().toISOString() },
      },
      { type: 'tick', data: { n: 1 } },
      { type: 'done', data: null },
      { type: 'echo', data: { text: 'hi' } },
    ])
  })

  it('is what a browser opens, with its token among the protocols (E-070)', async () => {
    const { tick } = events()
    const server = await start(
      defineServer().websockets(defineWebSocketRouter({ events: { tick } }), enabled),
    )
    const token = await tokenOf(server, 'ann')
    const url = `${server.url.replace('http', 'ws')}/events/ws?events=tick`
    const browser = new globalThis.WebSocket(url, ['svc.v1', `svc.token.${token}`])
    const [first] = (await once(browser, 'message')) as [MessageEvent<string>]
    expect(JSON.parse(first.data)).toMatchObject({ type: 'connected', data: { events: ['tick'] } })
    expect(browser.protocol).toBe('svc.v1')
    const closed = once(browser, 'close')
    browser.close()
    await closed
  })

  it('takes messages where there are no events at all', async () => {
    const echo = defineMessage(t.String(), ({ payload }) => payload)
    const router = defineWebSocketRouter({ messages: { echo } })
    const server = await start(defineServer().websockets(router, enabled))
    const socket = await server.openAs('ann')
    socket.send('echo', 'hi')
    await vi.waitFor(() => expect(socket.dataOf('echo')).toEqual(['hi']), soon)
    expect(socket.dataOf('connected')).toMatchObject([{ events: [] }])
  })

  it('is opened on the path that the registration names, and its token beside that', async () => {
    const { tick } = events()
    const router = defineWebSocketRouter({ events: { tick } })
    const server = await start(defineServer().websockets(router, { path: '/live', ...enabled }))
    const answer = await server.fetch('/live/token', {
      method: 'POST',
      headers: { 'x-user': 'ann' },
    })
    const { token } = (await answer.json()) as { token: string }
    const socket = await openTestWebSocket(`${server.url}/live?token=${token}`)
    expect(socket.status).toBe(101)
    expect((await server.open()).status).toBe(404)
  })

  it('gets of its router what it asks for, and all of it when it asks for nothing', async () => {
    const { tick, done } = events()
    const server = await start(
      defineServer().websockets(defineWebSocketRouter({ events: { tick, done } })),
    )
    const one = await server.open('?events=done')
    const all = await server.open()
    await tick.emit({ n: 1 })
    await done.emit()
    await vi.waitFor(() => expect(all.frames).toHaveLength(3), soon)
    expect(one.frames.map(({ type }) => type)).toEqual(['connected', 'done'])
  })
})

describe('an event of two routers', () => {
  it('is delivered over both, once for each connection (E-029, E-047)', async () => {
    const { tick } = events()
    const definition = defineServer()
      .events(defineEventRouter({ tick }))
      .websockets(defineWebSocketRouter({ events: { tick } }))
    const server = await start(definition)
    const streams = await Promise.all(
      [1, 2].map(() => openTestStream(`${server.url}/events/stream?events=tick`)),
    )
    const sockets = await Promise.all([1, 2].map(() => server.open()))
    for (let n = 0; n < 3; n++) await tick.emit({ n })
    const all = [{ n: 0 }, { n: 1 }, { n: 2 }]
    await vi.waitFor(() => {
      for (const stream of streams) expect(stream.payloads('tick')).toEqual(all)
      for (const socket of sockets) expect(socket.dataOf('tick')).toEqual(all)
    }, soon)
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (const socket of sockets) expect(socket.dataOf('tick')).toEqual(all)
  })
})

describe('who may have what', () => {
  it('is decided as for event streams: one pool of tokens, authorize, filter (E-071)', async () => {
    const { tick, done } = events()
    const auth = {
      enabled: true,
      authorize: (subject: string, names: string[]) =>
        names.filter((name) => subject === 'ann' || name === 'tick'),
      filter: { tick: (subject: string, { n }: { n: number }) => subject === 'ann' || n > 1 },
    }
    const definition = defineServer()
      .events(defineEventRouter({ tick, done }), { auth })
      .websockets(defineWebSocketRouter({ events: { tick, done } }))
    const server = await start(definition)
    const [ann, bob] = [await server.openAs('ann'), await server.openAs('bob')]
    await tick.emit({ n: 1 })
    await tick.emit({ n: 2 })
    await done.emit()
    await vi.waitFor(() => expect(ann.frames).toHaveLength(4), soon)
    await vi.waitFor(() => expect(bob.frames).toHaveLength(2), soon)
    expect(bob.dataOf('connected')).toMatchObject([{ events: ['tick'] }])
    expect(bob.dataOf('tick')).toEqual([{ n: 2 }])

    const token = await tokenOf(server, 'ann')
    const stream = await openTestStream(`${server.url}/events/stream?events=tick&token=${token}`)
    expect(stream.status).toBe(200)
    expect((await server.open(`?token=${token}`)).status).toBe(401)
    stream.close()
  })

  it("is decided by the socket's own auth where it has one", async () => {
    const { tick } = events()
    const definition = defineServer()
      .events(defineEventRouter({ tick }), { auth: { enabled: true } })
      .websockets(defineWebSocketRouter({ events: { tick } }), { auth: { enabled: false } })
    const server = await start(definition)
    expect((await server.open()).status).toBe(101)
  })

  it('accepts one of sixteen connections with one token at two servers (E-071)', async () => {
    const redis = await startTestRedis()
    const { tick } = events()
    const definition = defineServer().websockets(
      defineWebSocketRouter({ events: { tick } }),
      enabled,
    )
    const env = { CACHE_URL: redis.url }
    const servers = [await start(definition, env), await start(definition, env)] as const
    const token = await tokenOf(servers[0], 'ann')
    const sockets = await Promise.all(
      Array.from({ length: 16 }, (_, at) => servers[at % 2 ? 1 : 0].open(`?token=${token}`)),
    )
    const statuses = sockets.map(({ status }) => status)
    expect(statuses.filter((status) => status === 101)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(15)
    for (const server of running.splice(0)) await server.stop()
    await redis.stop()
  })
})
