import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ServerDefinition } from '../definition/define-server.ts'
import { type InvalidField, MethodNotAllowedError, ValidationError } from '../errors/contract.ts'
import type { HttpError } from '../errors/errors.ts'
import {
  defineEvent,
  defineMessage,
  defineRouter,
  defineServer,
  defineWebSocketRouter,
  route,
  t,
} from '../index.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { asUser, clientFrame, handshakeOf, openRawSocket, tokenOf } from './test-socket.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
const left: { destroy(): void }[] = []
afterEach(async () => {
  for (const socket of left.splice(0)) socket.destroy()
  for (const server of running.splice(0)) await server.stop()
})

async function serve(definition: ServerDefinition) {
  const server = await startTestServer(definition.use([asUser]))
  running.push(server)
  return server
}

describe('a handshake', () => {
  const notes: unknown[] = []
  const note = defineMessage(t.Unknown(), ({ payload }) => void notes.push(payload))
  const notice = defineEvent('notice', t.Object({ n: t.Integer() }))
  const me = route.get('/me').handler(() => 'me')

  const circle: InvalidField[] = []
  circle.push(circle as never)

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

  it.each<[string, HttpError]>([
    ['a circle', new ValidationError({ fields: circle })],
    ['a bigint', new ValidationError({ fields: [1n] as never })],
    ['a header of two lines', new MethodNotAllowedError({ allow: ['GET\r\nset-cookie: a=b'] })],
  ])(
    'that is refused with what cannot be said ends no process, and is answered: %s',
    async (_, error) => {
      const authorize = () => Promise.reject(error)
      const server = await serve(
        defineServer().websockets(defineWebSocketRouter({ events: { notice } }), {
          auth: { enabled: true, authorize },
        }),
      )
      const connection = await openRawSocket(server.url)
      left.push(connection.socket)
      connection.shake({ target: `/events/ws?token=${await tokenOf(server, 'ada')}` })
      await connection.ended
      expect(connection.status()).toBe(500)
      expect(connection.received().toString()).not.toContain('set-cookie')
    },
  )

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
