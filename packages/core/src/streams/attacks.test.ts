import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  defineEvent,
  defineEventRouter,
  defineMessage,
  defineRouter,
  defineServer,
  defineWebSocketRouter,
  type EventStreamOptions,
  route,
  type StreamToken,
  t,
} from '../index.ts'
import type { ServerDefinition } from '../server/define-server.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { testCredentials } from './test-credentials.ts'
import { asUser, clientFrame, handshakeOf, openRawSocket, tokenOf } from './test-socket.ts'
import { openTestStream } from './test-stream.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
const left: { destroy(): void }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const socket of left.splice(0)) socket.destroy()
  for (const server of running.splice(0)) await server.stop()
})

async function serve(definition: ServerDefinition) {
  const server = await startTestServer(definition.use([asUser]))
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

  it('judges what is sent, though the emitter has given its payload to somebody else meanwhile', async () => {
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
    'takes nobody for another who looks alike: %j',
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

describe('a handshake', () => {
  const notes: unknown[] = []
  const note = defineMessage(t.Unknown(), ({ payload }) => void notes.push(payload))
  const notice = defineEvent('notice', t.Object({ n: t.Integer() }))
  const me = route.get('/me').handler(() => 'me')

  async function start() {
    notes.length = 0
    const sockets = defineWebSocketRouter({ events: { notice }, messages: { note } })
    const definition = defineServer().routes(defineRouter({ me }))
    const server = await serve(definition.websockets(sockets, { auth: { enabled: true } }))
    const target = async () => `/events/ws?token=${await tokenOf(server, 'ada')}`
    async function send(...bytes: (string | Buffer)[]) {
      const connection = await openRawSocket(server.url)
      connection.socket.write(Buffer.concat(bytes.map((each) => Buffer.from(each))))
      await vi.waitFor(() => expect(connection.status()).toBeGreaterThan(0), soon)
      left.push(connection.socket)
      return connection
    }
    return { ...server, target, send }
  }

  it.each([
    'capacitor://localhost',
    'javascript://localhost',
    'http://ada@localhost',
    'http://localhost/',
    'http://localhost#',
    'HTTP://LOCALHOST',
    'http://localhost.',
    'http://localhost:8080',
    'http://localhost.evil.example',
    'http://localhost, http://evil.example',
    'http://evil.example, http://localhost',
    'http://xn--lcalhost-66f',
    'blob:http://localhost/x',
    'file://localhost',
    'null',
  ])('of a page whose origin is nearly the server’s is refused: %s', async (origin) => {
    const { send, target } = await start()
    const { status } = await send(handshakeOf({ target: await target(), headers: { origin } }))
    expect(status()).toBe(403)
  })

  it('counts every Origin and one Host', async () => {
    const { send, target } = await start()
    const twice = handshakeOf({
      target: await target(),
      headers: { origin: 'http://localhost\r\norigin: http://evil.example' },
    })
    const hosts = handshakeOf({
      target: await target(),
      headers: { origin: 'http://evil.example', 'x-ray': '1\r\nhost: evil.example' },
    })
    expect([(await send(twice)).status(), (await send(hosts)).status()]).toEqual([403, 403])
  })

  it.each([
    ['a length', { 'content-length': '37' }, 'GET /me HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['chunks', { 'transfer-encoding': 'chunked' }, '0\r\n\r\nGET /me HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('has no body, which would be read as something else: %s', async (_, headers, rest) => {
    const { send, target } = await start()
    const connection = await send(handshakeOf({ target: await target(), headers }), rest)
    await connection.ended
    expect(connection.status()).toBe(400)
    expect(connection.received().toString().split('HTTP/1.1 ')).toHaveLength(2)
  })

  it('that is refused is the end of its connection: no request behind it is answered, no frame heard', async () => {
    const { send } = await start()
    const frame = clientFrame(1, '{"type":"note","data":"early"}')
    for (const rest of ['GET /me HTTP/1.1\r\nhost: localhost\r\n\r\n', frame]) {
      const connection = await send(handshakeOf(), rest)
      await connection.ended
      expect(connection.status()).toBe(401)
      expect(connection.received().toString().split('HTTP/1.1 ')).toHaveLength(2)
    }
    expect(notes).toEqual([])
  })

  it('cannot get a line into its answer', async () => {
    const { send } = await start()
    const headers = { 'x-request-id': 'request-1\tset-cookie', 'sec-websocket-protocol': 'svc.v1' }
    const target = '/events/ws?token=%0d%0aset-cookie:%20a=b&events=notice'
    const connection = await send(handshakeOf({ target, headers }))
    await connection.ended
    expect(connection.received().toString()).not.toContain('set-cookie')
  })

  it('opens no way around the limits: a message of endlessly many fragments closes its socket', async () => {
    const { send, target } = await start()
    const connection = await send(handshakeOf({ target: await target() }))
    connection.socket.write(clientFrame(1, '', false))
    connection.socket.write(
      Buffer.concat(Array.from({ length: 20_000 }, () => clientFrame(0, '', false))),
    )
    await connection.ended
    expect(connection.received().subarray(-2).readUInt16BE()).toBe(1008)
  })
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

  it('about a credential keeps nobody from asking about it later', async () => {
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
