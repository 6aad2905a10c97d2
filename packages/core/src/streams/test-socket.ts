import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type ClientOptions, WebSocket } from 'ws'
import { defineMiddleware } from '../routes/middleware.ts'
import type { TestServer } from '../testing/test-server.ts'

type Asked = ClientOptions & { protocols?: string[] }

/** The user that the header `x-user` names: an application that signs people in by itself. */
export const asUser = defineMiddleware('as-user', async (c, next) => {
  const user = c.req.header('x-user')
  if (user) c.set('userId', user)
  await next()
})

export async function tokenOf({ fetch }: Pick<TestServer, 'fetch'>, user: string) {
  const answer = await fetch('/events/token', { method: 'POST', headers: { 'x-user': user } })
  const { token } = (await answer.json()) as { token: string }
  return token
}

/** Opens a socket and keeps what arrives. What is refused has a status and a body instead. */
export async function openTestWebSocket(url: string, { protocols = [], ...options }: Asked = {}) {
  const ws = new WebSocket(url.replace(/^http/, 'ws'), protocols, options)
  const frames: { type: string; data: unknown }[] = []
  ws.on('message', (bytes: Buffer) => frames.push(JSON.parse(bytes.toString())))
  ws.on('error', () => {})
  const closed = once(ws, 'close').then(([code, reason]) => ({
    code: Number(code),
    reason: String(reason),
  }))
  const refused = once(ws, 'unexpected-response').then(([, answer]) => read(answer))
  const answer = await Promise.race([once(ws, 'open').then(() => undefined), refused, closed])
  const refusal = answer && 'status' in answer ? answer : undefined
  return {
    ws,
    frames,
    closed,
    status: refusal?.status ?? 101,
    refusal,
    send: (type: string, data?: unknown) => ws.send(JSON.stringify({ type, data })),
    /** What frames of a type carried. */
    dataOf: (type: string) => frames.filter((each) => each.type === type).map(({ data }) => data),
    leave: () => ws.terminate(),
  }
}

async function read(answer: IncomingMessage) {
  const body = await buffer(answer)
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: JSON.parse(body.toString()) as Record<string, unknown>,
  }
}

interface Handshake {
  method?: string
  target?: string
  version?: string
  /** Beside the usual ones, or instead of them; undefined leaves one out. */
  headers?: Record<string, string | undefined>
}

/** A connection on which a test writes what it likes, and which it may leave unread. */
export async function openRawSocket(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  const chunks: Buffer[] = []
  socket.on('error', () => {})
  socket.on('data', (bytes: Buffer) => chunks.push(bytes))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const ended = new Promise<void>((resolve) => socket.once('end', () => resolve()))
  await once(socket, 'connect')
  const received = () => Buffer.concat(chunks)
  return {
    socket,
    closed,
    /** The server has said all that it had to say. */
    ended,
    /** All that has arrived. */
    received,
    status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(received().toString('latin1'))?.[1] ?? 0),
    /** What came behind the head. */
    body: () => received().subarray(received().indexOf('\r\n\r\n') + 4),
    shake: (handshake: Handshake = {}) => socket.write(handshakeOf(handshake)),
  }
}

export function handshakeOf({
  method = 'GET',
  target = '/events/ws',
  version = '1.1',
  headers = {},
}: Handshake = {}) {
  const all = {
    host: 'localhost',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return `${method} ${target} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 }

/** A frame as a client sends it: masked, here with zeros. */
export function clientFrame(opcode: number, payload: Buffer | string, isFinal = true) {
  const bytes = Buffer.from(payload)
  const first = (isFinal ? 0x80 : 0) | opcode
  const mask = Buffer.alloc(4)
  if (bytes.length < 126)
    return Buffer.concat([Buffer.from([first, 0x80 | bytes.length]), mask, bytes])
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(bytes.length), 2)
  return Buffer.concat([head, mask, bytes])
}

/** Reads what a server sent as strictly as RFC 6455, 5.2 is written: what is not a frame of it throws. */
export function* readServerFrames(bytes: Buffer) {
  let rest = bytes
  while (rest.length >= 2) {
    const { opcode, start, length } = readHeader(rest)
    if (rest.length < start + length) return
    yield { opcode, payload: rest.subarray(start, start + length) }
    rest = rest.subarray(start + length)
  }
}

function readHeader(bytes: Buffer) {
  const [first = 0, second = 0] = bytes
  const opcode = first & 0x0f
  if ((first & 0xf0) !== 0x80) throw new Error(`first byte ${first.toString(16)}`)
  if (![1, 8, 9, 10].includes(opcode)) throw new Error(`opcode ${opcode}`)
  if (second > 127) throw new Error('masked')
  if (opcode >= 8 && second > 125) throw new Error('a control frame that is too long')
  if (second < 126) return { opcode, start: 2, length: second }
  const isShort = second === 126
  if (bytes.length < (isShort ? 4 : 10)) return { opcode, start: 0, length: Infinity }
  const length = isShort ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  if (length < (isShort ? 126 : 65_536)) throw new Error('a length that is longer than it need be')
  return { opcode, start: isShort ? 4 : 10, length }
}
