import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { defineEvent, defineEventRouter, defineRouter, defineServer, route } from '../../index.ts'
import { openTestStream } from '../test-stream.ts'
import { clockEvents, useTestStreaming } from '../test-streaming.ts'

const soon = { interval: 5, timeout: 5000 }

const { serve } = useTestStreaming()

describe('an event router', () => {
  it('has no version, as its page says: neither a path nor an answer carries one (E-091)', async () => {
    const { tick } = clockEvents()
    const server = await serve(defineServer().events(defineEventRouter({ tick })))
    const { status, headers } = await server.open('?events=tick')
    expect(status).toBe(200)
    expect([...headers.keys()].filter((name) => name.includes('version'))).toEqual([])
    const page = new URL('../../../../../docs/reference/streams.md', import.meta.url)
    expect(await readFile(page, 'utf8')).toContain('Nothing here has a version')
  })

  it('exposes its events and their names (E-031)', () => {
    const { tick, tock } = clockEvents()
    const router = defineEventRouter({ tick, tock })
    expect(router.events).toEqual({ tick, tock })
    expect(router.eventNames).toEqual(['tick', 'tock'])
  })

  it('is streamed on GET /events/stream once it is registered, and not before (E-032, E-034)', async () => {
    const { tick } = clockEvents()
    const without = await serve(defineServer())
    expect((await without.open('?events=tick')).status).toBe(404)
    const server = await serve(defineServer().events(defineEventRouter({ tick })))
    expect((await server.open('?events=tick')).status).toBe(200)
  })

  it.each(['a\nb', 'a\rb', '', 'connected', 'ping', 'error', 'gap'])(
    'is refused where it is defined when a key would break the frames, or pass for one of them: %j',
    (key) => {
      expect(() => defineEventRouter({ [key]: defineEvent('any') })).toThrow(JSON.stringify(key))
    },
  )

  it('refuses a route of the application on its own path', () => {
    const { tick } = clockEvents()
    const router = defineRouter({ mine: route.get('/events/stream').handler(() => 'mine') })
    const boot = serve(defineServer().routes(router).events(defineEventRouter({ tick })))
    return expect(boot).rejects.toThrow(/"mine" is GET \/events\/stream/)
  })

  it('wins over a parameter in a path of the application', async () => {
    const { tick } = clockEvents()
    const router = defineRouter({ mine: route.get('/events/:id').handler(() => 'mine') })
    const server = await serve(defineServer().routes(router).events(defineEventRouter({ tick })))
    expect((await server.open('?events=tick')).status).toBe(200)
  })
  it('refuses a route of the application where tokens are issued', () => {
    const router = defineRouter({ mine: route.post('/events/token').handler(() => 'mine') })
    const { tick } = clockEvents()
    const streamed = defineEventRouter({ tick })
    const definition = defineServer()
      .routes(router)
      .events(streamed, { auth: { enabled: true } })
    return expect(serve(definition)).rejects.toThrow(/"mine".*POST \/events\/token/)
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
    const server = await serve(defineServer().events(defineEventRouter(awkward())))
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
    const server = await serve(defineServer().events(defineEventRouter(awkward())))
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
    const { tick } = clockEvents()
    const router = defineEventRouter({ tick })
    const auth = { enabled: true, getSubject: () => 'u1' }
    for (const [path, tokens] of [
      [undefined, '/events/token'],
      ['/sse', '/sse/token'],
      ['/live/stream', '/live/token'],
    ] as const) {
      const server = await serve(defineServer().events(router, { ...(path && { path }), auth }))
      const issued = await server.fetch(tokens, { method: 'POST' })
      const { token } = await issued.json()
      const at = `${server.url}${path ?? '/events/stream'}`
      const stream = await openTestStream(`${at}?events=tick&token=${token}`)
      expect(stream.status).toBe(200)
      if (path) {
        const before = `${server.url}/events/stream?events=tick`
        expect((await openTestStream(before)).status).toBe(404)
        expect((await server.fetch('/events/token', { method: 'POST' })).status).toBe(404)
      }
    }
  })

  it('may declare headers, which are ignored (E-044)', async () => {
    const { tick } = clockEvents()
    const headers = { 'x-declared': 'yes' }
    const server = await serve(defineServer().events(defineEventRouter({ tick }), { headers }))
    const stream = await server.open('?events=tick')
    expect(stream.status).toBe(200)
    expect(stream.headers.has('x-declared')).toBe(false)
  })

  it('end a stream when it is `maxAge` old, and not before nine tenths of it', async () => {
    const { tick } = clockEvents()
    const options = { pingInterval: 20, maxAge: 600_000 }
    const server = await serve(defineServer().events(defineEventRouter({ tick }), options))
    const stream = await server.open('?events=tick')
    server.clock.advance(539_000)
    const pings = stream.frames.length
    await vi.waitFor(() => expect(stream.frames.length).toBeGreaterThan(pings + 2), soon)
    server.clock.advance(61_000)
    expect(await stream.ended).toBe('ended')
  })

  it('end streams after an hour unless `maxAge` says otherwise, at moments of their own', async () => {
    const { tick } = clockEvents()
    const router = defineEventRouter({ tick })
    const server = await serve(defineServer().events(router, { pingInterval: 20 }))
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

describe('the OpenAPI document', () => {
  it('names the stream and the route of its tokens, outside of production', async () => {
    const { tick } = clockEvents()
    const auth = { enabled: true }
    const server = await serve(defineServer().events(defineEventRouter({ tick }), { auth }))
    const { paths } = await (await server.fetch('/_core/openapi.json')).json()
    expect(paths).toMatchObject({
      '/events/token': { post: { operationId: 'eventsToken' } },
      '/events/stream': { get: { operationId: 'eventsStream' } },
    })
  })
})
