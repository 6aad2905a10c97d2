import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineEvent, defineEventRouter, defineRouter, defineServer, route, t } from '../index.ts'
import { type ServerDefinition } from '../server/define-server.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { openTestSocket, openTestStream, readFrames, unchunked } from './test-stream.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function start(definition: ServerDefinition, env = {}) {
  const server = await startTestServer(definition, { env })
  running.push(server)
  const open = (query: string, headers?: Record<string, string>) =>
    openTestStream(`${server.url}/events/stream${query}`, headers)
  return { ...server, open }
}

const events = () => ({
  tick: defineEvent('clock.tick', t.Object({ n: t.Integer() })),
  tock: defineEvent('clock.tock', t.Object({ n: t.Integer() })),
  done: defineEvent('clock.done'),
})

describe('an event router', () => {
  it('has no version, as its page says: neither a path nor an answer carries one (E-091)', async () => {
    const { tick } = events()
    const server = await start(defineServer().events(defineEventRouter({ tick })))
    const { status, headers } = await server.open('?events=tick')
    expect(status).toBe(200)
    expect([...headers.keys()].filter((name) => name.includes('version'))).toEqual([])
    const page = new URL('../../../../docs/reference/streams.md', import.meta.url)
    expect(await readFile(page, 'utf8')).toContain('Nothing here has a version')
  })

  it('exposes its events and their names (E-031)', () => {
    const { tick, tock } = events()
    const router = defineEventRouter({ tick, tock })
    expect(router.events).toEqual({ tick, tock })
    expect(router.eventNames).toEqual(['tick', 'tock'])
  })

  it('is streamed on GET /events/stream once it is registered, and not before (E-032, E-034)', async () => {
    const { tick } = events()
    const without = await start(defineServer())
    expect((await without.open('?events=tick')).status).toBe(404)
    const server = await start(defineServer().events(defineEventRouter({ tick })))
    expect((await server.open('?events=tick')).status).toBe(200)
  })

  it.each(['a\nb', 'a\rb', '', 'connected', 'ping', 'error'])(
    'is refused where it is defined when a key would break the frames, or pass for one of them: %j',
    (key) => {
      expect(() => defineEventRouter({ [key]: defineEvent('any') })).toThrow(JSON.stringify(key))
    },
  )

  it('refuses a route of the application on its own path', () => {
    const { tick } = events()
    const router = defineRouter({ mine: route.get('/events/stream').handler(() => 'mine') })
    const boot = start(defineServer().routes(router).events(defineEventRouter({ tick })))
    return expect(boot).rejects.toThrow(/"mine" is GET \/events\/stream/)
  })

  it('wins over a parameter in a path of the application', async () => {
    const { tick } = events()
    const router = defineRouter({ mine: route.get('/events/:id').handler(() => 'mine') })
    const server = await start(defineServer().routes(router).events(defineEventRouter({ tick })))
    expect((await server.open('?events=tick')).status).toBe(200)
  })
  it('refuses a route of the application where tokens are issued', () => {
    const router = defineRouter({ mine: route.post('/events/token').handler(() => 'mine') })
    const { tick } = events()
    const streamed = defineEventRouter({ tick })
    const definition = defineServer()
      .routes(router)
      .events(streamed, { auth: { enabled: true } })
    return expect(start(definition)).rejects.toThrow(/"mine".*POST \/events\/token/)
  })
})

describe('frames', () => {
  it('are one for each emission, named by the key, with the payload as JSON (E-033, E-035)', async () => {
    const { tick, done } = events()
    const server = await start(defineServer().events(defineEventRouter({ tick, done })))
    const stream = await server.open('?events=tick,done')
    await tick.emit({ n: 1 })
    await tick.emit({ n: 2 })
    await done.emit()
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 1 }, { n: 2 }, null]), soon)
    const [, ...frames] = stream.frames
    expect(frames.map(({ event }) => event)).toEqual(['tick', 'tick', 'done'])
    const ids = frames.map(({ id = '' }) => id)
    expect(new Set(ids.map((id) => id.replace(/\d+$/, ''))).size).toBe(1)
    expect(ids.map((id) => Number(/\d+$/.exec(id)))).toEqual([1, 2, 3])
  })

  it('begin with `connected`, which names the events and the time (E-036)', async () => {
    const { tick, tock } = events()
    const server = await start(defineServer().events(defineEventRouter({ tick, tock })))
    const stream = await server.open('?events=tock,tick')
    await vi.waitFor(() => expect(stream.frames).toHaveLength(1), soon)
    const timestamp = server.clock.now().toISOString()
    expect(stream.frames[0]).toEqual({
      event: 'connected',
      data: { events: ['tock', 'tick'], timestamp },
    })
  })

  it('hold a ping every `pingInterval` (E-037, E-041)', async () => {
    const { tick } = events()
    const router = defineEventRouter({ tick })
    const server = await start(defineServer().events(router, { pingInterval: 40 }))
    const opened = performance.now()
    const stream = await server.open('?events=tick')
    await vi.waitFor(() => expect(stream.frames.length).toBeGreaterThanOrEqual(5), soon)
    expect(performance.now() - opened).toBeGreaterThan(3 * 40)
    const timestamp = server.clock.now().toISOString()
    expect(stream.frames[1]).toEqual({ event: 'ping', data: { timestamp } })
  })

  it('hold no ping before ten seconds unless the interval is set (E-041)', async () => {
    const { tick } = events()
    const interval = vi.spyOn(globalThis, 'setInterval')
    await start(defineServer().events(defineEventRouter({ tick })))
    expect(interval.mock.calls.map(([, millis]) => millis)).toContain(10_000)
  })

  it('are those of requested events only (E-039)', async () => {
    const { tick, tock } = events()
    const server = await start(defineServer().events(defineEventRouter({ tick, tock })))
    const stream = await server.open('?events=tock')
    await tick.emit({ n: 1 })
    await tock.emit({ n: 2 })
    await vi.waitFor(() => expect(stream.payloads('tock')).toEqual([{ n: 2 }]), soon)
    expect(stream.payloads()).toEqual([{ n: 2 }])
  })

  it('keep text of any kind on one line', async () => {
    const say = defineEvent('say', t.String())
    const server = await start(defineServer().events(defineEventRouter({ say })))
    const stream = await server.open('?events=say')
    const said = 'a\r\nevent: forged\n\ndata: \u2028\u2029 \u{1F600} \ud800 \0'
    await say.emit(said)
    await vi.waitFor(() => expect(stream.payloads()).toEqual([said]), soon)
    expect(stream.frames).toHaveLength(2)
  })

  it('reach every stream, and none twice', async () => {
    const { tick } = events()
    const server = await start(defineServer().events(defineEventRouter({ tick })))
    const streams = await Promise.all(Array.from({ length: 20 }, () => server.open('?events=tick')))
    const sent = Array.from({ length: 50 }, (_, n) => ({ n }))
    for (const payload of sent) await tick.emit(payload)
    await vi.waitFor(() => {
      for (const stream of streams) expect(stream.payloads()).toEqual(sent)
    }, soon)
  })

  it('leave out what has no JSON, and go on', async () => {
    const any = defineEvent('any', t.Unknown())
    const server = await start(defineServer().events(defineEventRouter({ any })))
    const stream = await server.open('?events=any')
    await any.emit(1n)
    await any.emit('next')
    await vi.waitFor(() => expect(stream.payloads()).toEqual(['next']), soon)
    expect(server.logged).toContainEqual(expect.objectContaining({ level: 'error', event: 'any' }))
  })

  it('carry events that are named like members of every object', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
    const all = Object.fromEntries(names.map((name) => [name, defineEvent(name, t.String())]))
    const filter = { constructor: () => true }
    const router = defineEventRouter(all)
    const recipients = {}
    const auth = { enabled: true, getSubject: () => 'u1', filter, recipients }
    const server = await start(defineServer().events(router, { auth }))
    const issued = await server.fetch('/events/token', { method: 'POST' })
    const { token } = await issued.json()
    const stream = await server.open(`?events=${names.join()}&token=${token}`)
    for (const name of names) await all[name]?.emit(name)
    await vi.waitFor(() => expect(stream.payloads()).toEqual(names), soon)
  })
})

describe('the query', () => {
  const awkward = () => ({
    'a,b': defineEvent('1'),
    a: defineEvent('2'),
    'c d': defineEvent('3'),
    'ü/?&=#%': defineEvent('4'),
    'x+y': defineEvent('5'),
  })

  it.each([
    ['events=a,c%20d', ['a', 'c d']],
    ['events=a%2Cc%20d', ['a', 'c d']],
    ['events=c+d', ['c d']],
    ['events=a%2Cb', ['a,b']],
    ['events=a%2Cb,a', ['a,b', 'a']],
    ['events=x%2By', ['x+y']],
    [`events=${encodeURIComponent('ü/?&=#%')}`, ['ü/?&=#%']],
    ['events=a&events=c%20d', ['a', 'c d']],
    ['events=a,a,a', ['a']],
    ['other=1&events=a&token=ignored', ['a']],
  ])('names events, separated by commas and percent-encoded: %s (E-038)', async (query, names) => {
    const server = await start(defineServer().events(defineEventRouter(awkward())))
    const stream = await server.open(`?${query}`)
    await vi.waitFor(() => expect(stream.frames).toHaveLength(1), soon)
    expect(stream.frames[0]?.data).toMatchObject({ events: names })
  })

  it.each([
    '',
    '?',
    '?events',
    '?events=',
    '?events=,',
    '?events=a,',
    '?events=nothing',
    '?events=a,nothing',
    '?events=A',
    '?events=2',
    '?events=__proto__',
    '?events=constructor',
    '?events=%',
    '?events=%ff',
    '?events=a%00',
    '?Events=a',
    '?events[]=a',
    '?other=events=a',
  ])('is refused with 400 and the envelope when it does not: %j (E-045, E-046)', async (query) => {
    const server = await start(defineServer().events(defineEventRouter(awkward())))
    const { status, refusal, headers } = await server.open(query, { 'x-request-id': 'request-1' })
    expect(status).toBe(400)
    expect(refusal).toMatchObject({ error: { requestId: 'request-1' } })
    expect(refusal.__type).toBe(refusal.error.code)
    expect(headers.get('content-type')).toContain('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('options', () => {
  it('move the stream, and its token path with it (E-040)', async () => {
    const { tick } = events()
    const router = defineEventRouter({ tick })
    const auth = { enabled: true, getSubject: () => 'u1' }
    for (const [path, tokens] of [
      ['/sse', '/sse/token'],
      ['/live/stream', '/live/token'],
    ] as const) {
      const server = await start(defineServer().events(router, { path, auth }))
      const issued = await server.fetch(tokens, { method: 'POST' })
      const { token } = await issued.json()
      const stream = await openTestStream(`${server.url}${path}?events=tick&token=${token}`)
      expect(stream.status).toBe(200)
      expect((await server.open('?events=tick')).status).toBe(404)
    }
  })

  it('may declare headers, which are ignored (E-044)', async () => {
    const { tick } = events()
    const headers = { 'x-declared': 'yes' }
    const server = await start(defineServer().events(defineEventRouter({ tick }), { headers }))
    const stream = await server.open('?events=tick')
    expect(stream.status).toBe(200)
    expect(stream.headers.has('x-declared')).toBe(false)
  })

  it('end a stream when it is `maxAge` old, and not before nine tenths of it', async () => {
    const { tick } = events()
    const options = { pingInterval: 20, maxAge: 600_000 }
    const server = await start(defineServer().events(defineEventRouter({ tick }), options))
    const stream = await server.open('?events=tick')
    server.clock.advance(539_000)
    const pings = stream.frames.length
    await vi.waitFor(() => expect(stream.frames.length).toBeGreaterThan(pings + 2), soon)
    server.clock.advance(61_000)
    expect(await stream.ended).toBe('ended')
  })

  it('end streams after an hour unless `maxAge` says otherwise, at moments of their own', async () => {
    const { tick } = events()
    const router = defineEventRouter({ tick })
    const server = await start(defineServer().events(router, { pingInterval: 20 }))
    const open = () => server.open('?events=tick')
    const streams = await Promise.all(Array.from({ length: 40 }, open))
    let ended = 0
    for (const stream of streams) void stream.ended.then(() => ended++)
    server.clock.advance('57m')
    await vi.waitFor(() => expect(ended).toBeGreaterThan(0), soon)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ended).toBeLessThan(40)
    server.clock.advance('3m')
    await vi.waitFor(() => expect(ended).toBe(40), soon)
  })
})

describe('the connection', () => {
  async function ticking() {
    const { tick } = events()
    const server = await start(defineServer().events(defineEventRouter({ tick })))
    return { tick, server, client: await openTestSocket(server.url) }
  }

  it('is answered with what proxies need to pass events on at once', async () => {
    const { server } = await ticking()
    const { headers } = await server.open('?events=tick', { 'x-request-id': 'request-1' })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': 'request-1',
    })
    expect(headers.has('content-encoding')).toBe(false)
  })

  it('is chunked in HTTP/1.1, each write a whole chunk', async () => {
    const { tick, client } = await ticking()
    client.get('/events/stream?events=tick')
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    expect(client.received().toLowerCase()).toContain('transfer-encoding: chunked')
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(client.received()).toContain('tick\n'), soon)
    const frames = readFrames(unchunked(client.received()))
    expect(frames).toMatchObject([{ event: 'connected' }, { event: 'tick', data: { n: 1 } }])
    client.socket.destroy()
  })

  it('has no chunks in HTTP/1.0, and is closed at the end', async () => {
    const { tick, server, client } = await ticking()
    client.get('/events/stream?events=tick', { version: '1.0' })
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(client.received()).toContain('"n":1'), soon)
    const [head = '', body = ''] = client.received().split('\r\n\r\n')
    expect(head.toLowerCase()).not.toContain('transfer-encoding')
    expect(readFrames(body)).toMatchObject([{ event: 'connected' }, { event: 'tick' }])
    await server.stop()
    await client.closed
    expect(client.received().split('\r\n\r\n')[1]).toMatch(/^event: connected[^\r]*retry: \d+\n\n$/)
  })

  it('takes another request when the stream has ended well', async () => {
    const { tick } = events()
    const options = { pingInterval: 20, maxAge: 60_000 }
    const server = await start(defineServer().events(defineEventRouter({ tick }), options))
    const client = await openTestSocket(server.url)
    client.get('/events/stream?events=tick')
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    server.clock.advance('1m')
    await vi.waitFor(() => expect(client.received()).toMatch(/\r\n0\r\n\r\n$/), soon)
    client.get('/_core/health')
    await vi.waitFor(() => expect(client.received()).toContain('"status":"ok"'), soon)
    client.socket.destroy()
  })

  it('refuses a stream behind another request that has no answer yet', async () => {
    const { tick } = events()
    let answer = () => {}
    const slow = route
      .get('/slow')
      .handler(() => new Promise((resolve) => (answer = () => resolve('done'))))
    const definition = defineServer().routes(defineRouter({ slow }))
    const server = await start(definition.events(defineEventRouter({ tick })))
    const client = await openTestSocket(server.url)
    client.get('/slow')
    client.get('/events/stream?events=tick')
    await vi.waitFor(() => expect(answer.name).not.toBe(''), soon)
    await new Promise((resolve) => setTimeout(resolve, 50))
    answer()
    await vi.waitFor(() => expect(client.received()).toContain('BadRequestError'), soon)
    expect(client.received()).toContain('HTTP/1.1 400')
    client.socket.destroy()
  })

  it('keeps what is sent behind the stream waiting until it ends', async () => {
    const { tick, server, client } = await ticking()
    client.get('/events/stream?events=tick')
    client.get('/_core/health')
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(client.received()).toContain('"n":1'), soon)
    expect(client.received()).not.toContain('"status"')
    expect((await server.open('?events=tick')).status).toBe(200)
    client.socket.destroy()
  })

  it('answers other methods with 405, and HEAD too', async () => {
    const { server } = await ticking()
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
      const answer = await server.fetch('/events/stream?events=tick', { method })
      expect([method, answer.status]).toEqual([method, 405])
      expect(answer.headers.get('allow')).toContain('GET')
    }
  })

  it('may be opened by pages of listed origins', async () => {
    const { tick } = events()
    const origin = 'https://app.example'
    const server = await start(defineServer().origins(origin).events(defineEventRouter({ tick })))
    const stream = await server.open('?events=tick', { origin })
    expect(stream.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it('is not ended by the time that a handler or a silent socket has', async () => {
    const { tick } = events()
    const definition = defineServer().limits({ handlerMillis: 200, requestMillis: 200 })
    const server = await start(definition.events(defineEventRouter({ tick })))
    const stream = await server.open('?events=tick')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 1 }]), soon)
  })
})

describe('the OpenAPI document', () => {
  it('names the stream and the route of its tokens, outside of production', async () => {
    const { tick } = events()
    const auth = { enabled: true }
    const server = await start(defineServer().events(defineEventRouter({ tick }), { auth }))
    const { paths } = await (await server.fetch('/_core/openapi.json')).json()
    expect(paths).toMatchObject({
      '/events/token': { post: { operationId: 'eventsToken' } },
      '/events/stream': { get: { operationId: 'eventsStream' } },
    })
  })
})
