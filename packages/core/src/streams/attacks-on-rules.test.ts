import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTestRedis, type TestRedis } from '../cache/test-redis.ts'
import type { ServerDefinition } from '../definition/define-server.ts'
import { noRedis } from '../events/test-broadcast.ts'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  defineWebSocketRouter,
  type EventStreamOptions,
  type StreamToken,
  t,
} from '../index.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'
import { createMemoryTokenStore } from './access/token-store.ts'
import { testCredentials } from './test-credentials.ts'
import { asUser, tokenOf } from './test-socket.ts'
import { openTestStream } from './test-stream.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
const caches: TestRedis[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const server of running.splice(0)) await server.stop()
  for (const cache of caches.splice(0)) await cache.stop()
})

async function serve(definition: ServerDefinition, env = {}) {
  const server = await startTestServer(definition.use([asUser]), { env })
  running.push(server)
  const open = async (user: string, query = 'events=notice', headers = {}) => {
    const token = await tokenOf(server, user)
    return openTestStream(`${server.url}/events/stream?${query}&token=${token}`, headers)
  }
  return { ...server, open }
}

type Auth = Partial<NonNullable<EventStreamOptions['auth']>>

interface Notice {
  to: string
  text: string
}

const isOwners = (subject: string, { to }: Notice) => to === subject

describe('a filter', () => {
  // The schema copies nothing: handlers and streams have the emitter's own object.
  const anything = () => defineEvent('notice', t.Unsafe<Notice>({}))

  async function start(history = false) {
    const notice = anything()
    const kept = history ? { history: { size: 10, ttl: 60_000 } } : {}
    const auth = { enabled: true, filter: { notice: isOwners } }
    const server = await serve(defineServer().events(defineEventRouter({ notice }, kept), { auth }))
    return { ...server, notice }
  }

  it('judges what is sent, though the emitter has made its payload another user’s meanwhile', async () => {
    const { open, notice } = await start()
    const [ada, eve] = [await open('ada'), await open('eve')]
    const payload = { to: '', text: '' }
    for (const to of ['ada', 'eve']) {
      await notice.emit(Object.assign(payload, { to, text: `for ${to}` }))
    }
    await vi.waitFor(() => expect(eve.payloads()).toEqual([{ to: 'eve', text: 'for eve' }]), soon)
    expect(ada.payloads()).toEqual([{ to: 'ada', text: 'for ada' }])
  })

  it('judges what is sent, though a handler has changed it', async () => {
    const { open, notice } = await start()
    const [ada, eve] = [await open('ada'), await open('eve')]
    notice.subscribe((payload) => Object.assign(payload, { to: 'eve' }))
    await notice.emit({ to: 'ada', text: 'for ada' })
    await vi.waitFor(() => expect(ada.payloads()).toHaveLength(1), soon)
    expect(eve.payloads()).toEqual([])
  })

  it('judges what is sent again, however old it is', async () => {
    const { open, notice } = await start(true)
    const first = await open('ada')
    const payload = { to: 'ada', text: 'first' }
    await notice.emit(payload)
    await vi.waitFor(() => expect(first.payloads()).toHaveLength(1), soon)
    const lastId = first.frames.at(-1)?.id?.replace(/\d+$/, '0') ?? ''
    payload.to = 'eve'
    const eve = await open('eve', undefined, { 'last-event-id': lastId })
    await vi.waitFor(() => expect(eve.frames).toHaveLength(1), soon)
    await notice.emit({ to: 'eve', text: 'second' })
    await vi.waitFor(() => expect(eve.payloads()).toEqual([{ to: 'eve', text: 'second' }]), soon)
  })

  it.each(['аda', 'ADA', 'ada ', 'ada\u200b', 'ａｄａ'])(
    'takes no user for another who looks alike: %j',
    async (alike) => {
      const { notice, issued, url } = await asAnyone()
      const streams = [await issued('ada'), await issued(alike)].map((token) =>
        openTestStream(`${url}/events/stream?events=notice&token=${token}`),
      )
      const [ada, other] = await Promise.all(streams)
      await notice.emit({ to: 'ada', text: 'for ada' })
      await vi.waitFor(() => expect(ada?.payloads()).toHaveLength(1), soon)
      expect(other?.payloads()).toEqual([])
    },
  )

  /** Subjects of any characters, which no header carries. */
  async function asAnyone() {
    const notice = anything()
    let subject = ''
    const auth = { enabled: true, getSubject: () => subject, filter: { notice: isOwners } }
    const server = await serve(defineServer().events(defineEventRouter({ notice }), { auth }))
    const issued = (next: string) => {
      subject = next
      return tokenOf(server, '')
    }
    return { ...server, notice, issued }
  }
})

/** A server whose streams end with the keys they were asked for by. */
async function startWithKeys(auth: Auth = {}) {
  const notice = defineEvent('notice', t.Object({ n: t.Integer() }))
  const credentials = testCredentials()
  const options = { auth: { enabled: true, ...auth } }
  const definition = defineServer().lifecycle(credentials.lifecycle)
  const server = await serve(definition.events(defineEventRouter({ notice }), options))
  const openAs = async (key: string) => {
    const headers = { 'x-user': 'ada', 'x-key': key }
    const answer = await server.fetch('/events/token', { method: 'POST', headers })
    const { token } = (await answer.json()) as { token: string }
    return openTestStream(`${server.url}/events/stream?events=notice&token=${token}`)
  }
  return { ...server, ...credentials, notice, openAs, streams: server.infrastructure.streams }
}

describe.skipIf(noRedis)(`what an attacker with access to the cache publishes${noRedis}`, () => {
  it('is asked about like any emission, ends nothing, and is not in the log', async () => {
    const redis = await startTestRedis()
    caches.push(redis)
    const notice = defineEvent('notice', t.Object({ to: t.String(), text: t.String() }))
    const auth = { enabled: true, filter: { notice: isOwners } }
    const definition = defineServer().events(defineEventRouter({ notice }), { auth })
    const server = await serve(definition, { CACHE_URL: redis.url })
    const [ada, eve] = [await server.open('ada'), await server.open('eve')]
    const { cache } = server.infrastructure
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    for (const message of ['', 'hunter2', '{"to":"hunter2', 'null', '1', deep, '{"to":{}}', '\0']) {
      await cache.publish('svc:sse:notice', message)
    }
    const forged = '{"__proto__":{"isAdmin":true},"to":"ada","text":"a\\r\\n\\nevent: forged"}'
    await cache.publish('svc:sse:notice', forged)
    await notice.emit({ to: 'eve', text: 'for eve' })

    await vi.waitFor(() => expect(eve.payloads()).toEqual([{ to: 'eve', text: 'for eve' }]), soon)
    expect(ada.frames.map(({ event }) => event)).toEqual(['connected', 'notice'])
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false)
    expect(JSON.stringify(server.logged)).not.toContain('hunter2')
  })
})

describe('a flood of tokens', () => {
  it('is over when they have expired, not when the next minute has come', () => {
    const clock = createVirtualClock()
    const store = createMemoryTokenStore(clock)
    const data = { token: '', subject: 'eve', expiresAt: clock.now().getTime() + 30_000 }
    for (let n = 0; n < 100_000; n++) void store.set(`t${n}`, data)
    expect(() => store.set('ada', data)).toThrow(expect.objectContaining({ status: 503 }))
    clock.advance('30s')
    expect(() => store.set('ada', data)).not.toThrow()
  })
})

describe('a store of the application’s', () => {
  it('that forgets by which key a token was asked for opens nothing: no revocation would end it', async () => {
    const rows = new Map<string, StreamToken>()
    const store = {
      // As a table of these columns does.
      set: (token: string, { subject, expiresAt }: StreamToken) =>
        void rows.set(token, { token, subject, expiresAt }),
      consume: (token: string) => rows.get(token) ?? null,
      cleanup: () => {},
    }
    const { openAs, logged, streams } = await startWithKeys({ store })
    const { status } = await openAs('k1')
    expect([status, streams.size]).toEqual([500, 0])
    expect(JSON.stringify(logged)).toContain('has not kept')
  })
})

describe('a rule that a WebSocket would not ask', () => {
  const notice = defineEvent('notice', t.Unsafe<Notice>({}))
  const auth = { enabled: true, getSubject: () => 'ada', filter: { notice: isOwners } }
  const streaming = defineServer().events(defineEventRouter({ notice }), { auth })

  it('because its event has another name keeps the server from starting', async () => {
    const definition = streaming.websockets(defineWebSocketRouter({ events: { note: notice } }))
    await expect(serve(definition)).rejects.toThrow('"note" of the WebSocket is "notice"')
  })

  it('because tokens are those of the event stream keeps the server from starting', async () => {
    const own = { enabled: true, getSubject: () => 'eve' }
    const sockets = defineWebSocketRouter({ events: { notice } })
    await expect(serve(streaming.websockets(sockets, { auth: own }))).rejects.toThrow('getSubject')
    const same = { ...own, getSubject: auth.getSubject }
    expect((await serve(streaming.websockets(sockets, { auth: same }))).url).toContain('http')
  })

  it('is none where the name is the same, or where there is no rule', async () => {
    expect(
      (await serve(streaming.websockets(defineWebSocketRouter({ events: { notice } })))).url,
    ).toContain('http')
    const unruled = defineServer().events(defineEventRouter({ notice }), {
      auth: { enabled: true },
    })
    const sockets = defineWebSocketRouter({ events: { note: notice } })
    expect((await serve(unruled.websockets(sockets))).url).toContain('http')
  })
})

describe('what never answers', () => {
  const hangs = () => new Promise<never>(() => {})
  const patient = () => vi.advanceTimersByTimeAsync(30_000)

  it('when it is asked again what an account may have ends its streams', async () => {
    const authorize = vi.fn<NonNullable<Auth['authorize']>>((_, events) => events)
    const { openAs, streams } = await startWithKeys({ authorize })
    const stream = await openAs('k1')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    authorize.mockImplementation(hangs)
    streams.reauthorize('ada')
    await patient()
    vi.useRealTimers()
    expect(await stream.ended).toBe('ended')
  })

  it('about a credential keeps no stream from asking about it later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const { openAs, given, standings, logged } = await startWithKeys()
    const stream = await openAs('k1')
    const standing = vi.spyOn(given, 'standing').mockImplementationOnce(hangs)
    await patient()
    expect(standing).toHaveBeenCalledTimes(1)
    standings.set('k1', null)
    await patient()
    vi.useRealTimers()
    expect(await stream.ended).toBe('ended')
    expect(logged).toContainEqual(expect.objectContaining({ level: 'error' }))
  })
})
