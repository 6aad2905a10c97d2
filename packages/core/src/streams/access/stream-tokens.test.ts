import { describe, expect, it, vi } from 'vitest'
import { createApi } from '../../call/create-api.ts'
import { eventRouteMap } from '../../events/token-path.ts'
import { defineMiddleware, defineRouter, defineServer, route } from '../../index.ts'
import { openTestStream } from '../test-stream.ts'
import { router, type StreamAuth, tick, tock, useTestStreaming } from '../test-streaming.ts'

const soon = { interval: 5, timeout: 5000 }

const { serve, start } = useTestStreaming()

const tokenRouter = defineRouter({
  eventsToken: route.post('/events/token').handler(() => ({ token: '' })),
})

describe('without auth', () => {
  it('streams need no token, and nothing issues one (E-048, E-049)', async () => {
    for (const options of [{}, { auth: { enabled: false } }]) {
      const server = await serve(defineServer().events(router, options))
      const stream = await openTestStream(`${server.url}/events/stream?events=tick`)
      expect(stream.status).toBe(200)
      expect((await server.fetch('/events/token', { method: 'POST' })).status).toBe(404)
    }
  })
})

describe('issuing a token', () => {
  it('is POST on the token path, without a body, and answers the token (E-049)', async () => {
    const { issue } = await start()
    const answer = await issue()
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('runs behind the middleware of the server and of the router (E-050)', async () => {
    const order: string[] = []
    const passing = (name: string) =>
      defineMiddleware(name, async (c, next) => {
        order.push(name)
        if (c.req.header('x-refused') === name) return c.json({ refusedBy: name }, 418)
        c.set('userId', 'u1')
        return next()
      })
    const definition = defineServer()
      .use([passing('server')])
      .routes(defineRouter({ mine: route.get('/mine').handler(() => 1) }).use([passing('router')]))
      .events(router, { auth: { enabled: true } })
    const server = await serve(definition)
    const ask = (headers = {}) => server.fetch('/events/token', { method: 'POST', headers })
    expect((await ask()).status).toBe(200)
    expect(order).toEqual(['server', 'router'])
    expect((await ask({ 'x-refused': 'server' })).status).toBe(418)
    expect((await ask({ 'x-refused': 'router' })).status).toBe(418)
  })

  it('is `eventsToken` of a client that has merged its route map (E-051)', async () => {
    const { url } = await start()
    expect(eventRouteMap.eventsToken).toEqual({ method: 'POST', path: '/events/token' })
    const sign = async () => ({ 'x-user': 'u1' })
    const api = createApi<typeof tokenRouter>({
      routeMap: { ...eventRouteMap },
      baseUrl: url,
      sign,
    })
    expect(await api.eventsToken.call()).toEqual({ token: expect.any(String) })
  })

  it('is for the account that is signed in, or for the subject that `getSubject` says (E-052)', async () => {
    const asked: string[] = []
    const authorize = (subject: string, events: string[]) => {
      asked.push(subject)
      return events
    }
    const standard = await start({ authorize })
    await standard.open(await standard.token('u7'))
    const own = await start({
      authorize,
      getSubject: async (c) => c.raw.req.header('x-user')?.toUpperCase(),
    })
    await own.open(await own.token('u8'))
    expect(asked).toEqual(['u7', 'U8'])
  })

  it.each([
    ['no user is signed in', {}],
    ['getSubject answers null', { getSubject: () => null }],
    ['getSubject answers nothing', { getSubject: async () => undefined }],
    ['getSubject answers an empty name', { getSubject: () => '' }],
  ])('answers 401 when %s (E-053, E-046)', async (_, auth: StreamAuth) => {
    const { issue } = await start(auth)
    const answer = await issue('')
    expect(answer.status).toBe(401)
    const { __type, error } = await answer.json()
    expect([__type, error.code]).toEqual(['UnauthorizedError', 'UnauthorizedError'])
  })
})

describe('opening a stream', () => {
  it('is refused with 401 without a token, or with one that was never issued (E-054, E-046)', async () => {
    const { open, url, token } = await start()
    const several = `${await token()}&token=${await token()}`
    for (const given of ['', 'x', 'A'.repeat(43), '__proto__x', 'x'.repeat(4000), several]) {
      const { status, refusal } = await open(given)
      expect([given, status, refusal.error.code]).toEqual([given, 401, 'UnauthorizedError'])
    }
    expect((await openTestStream(`${url}/events/stream?events=tick`)).status).toBe(401)
  })

  it('spends its token: a second use answers 401 (E-055)', async () => {
    const { open, token } = await start()
    const given = await token()
    expect((await open(given)).status).toBe(200)
    expect((await open(given)).status).toBe(401)
  })

  it('succeeds once when sixteen use one token at the same time (E-055)', async () => {
    const { open, token } = await start()
    const given = await token()
    const streams = await Promise.all(Array.from({ length: 16 }, () => open(given)))
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(streams.filter(({ status }) => status === 401)).toHaveLength(15)
  })

  it('takes a token for as long as it lives: 30 s, or `tokenTtl` (E-054, E-060)', async () => {
    for (const [auth, life] of [
      [{}, 30_000],
      [{ tokenTtl: 500 }, 500],
    ] as const) {
      const { open, token, clock } = await start(auth)
      const [early, late] = [await token(), await token()]
      clock.advance(life - 1)
      expect((await open(early)).status).toBe(200)
      clock.advance(1)
      expect((await open(late)).status).toBe(401)
    }
  })

  it('streams what `authorize` allows of what was requested (E-056)', async () => {
    const authorize = vi.fn(async () => ['tock', 'never-asked-for'])
    const { open, token } = await start({ authorize })
    const stream = await open(await token())
    await tick.emit({ n: 1 })
    await tock.emit({ n: 2 })
    await vi.waitFor(() => expect(stream.payloads('tock')).toEqual([{ n: 2 }]), soon)
    expect(stream.payloads()).toEqual([{ n: 2 }])
    expect(stream.frames[0]?.data).toMatchObject({ events: ['tock'] })
    expect(authorize.mock.calls).toEqual([['u1', ['tick', 'tock']]])
  })

  it.each([
    ['nothing', []],
    ['only what was not requested', ['tick']],
  ])('is refused with 403 when `authorize` allows %s (E-057, E-046)', async (_, allowed) => {
    const { open, token, infrastructure } = await start({ authorize: () => allowed })
    const { status, refusal } = await open(await token(), 'tock')
    expect([status, refusal.__type]).toEqual([403, 'ForbiddenError'])
    expect(infrastructure.streams.size).toBe(0)
  })

  it('fails with 500, and does not tell the client why, when `authorize` throws', async () => {
    const authorize = () => {
      throw new Error('a secret reason')
    }
    const { open, token, infrastructure } = await start({ authorize })
    const { status, refusal } = await open(await token())
    expect(status).toBe(500)
    expect(JSON.stringify(refusal)).not.toContain('secret')
    expect(infrastructure.streams.size).toBe(0)
  })

  it('looks at names, then at the token, then at who may have them; 400 spends nothing (E-067)', async () => {
    let allowed = [] as string[]
    const { open, token } = await start({ authorize: () => allowed })
    expect((await open('never-issued', 'nothing')).status).toBe(400)
    expect((await open('never-issued', 'tick')).status).toBe(401)
    const given = await token()
    expect((await open(given, 'nothing')).status).toBe(400)
    expect((await open(given, 'tick')).status).toBe(403)
    allowed = ['tick']
    expect((await open(given, 'tick')).status).toBe(401)
  })
})

describe('the log', () => {
  it('holds no token, also of a request that was refused', async () => {
    const failing = () => Promise.reject(new Error('down'))
    const tokenManager = { issue: async () => ({ token: 'never-to-be-logged' }), consume: failing }
    const { open, token, logged, url } = await start({ tokenManager })
    const given = await token()
    expect((await open(given)).status).toBe(500)
    expect((await open(given, 'nothing')).status).toBe(400)
    await fetch(`${url}/events/stream?token=${given}&events=tick`)
    expect(logged.length).toBeGreaterThan(1)
    expect(JSON.stringify(logged)).not.toContain(given)
  })
})
