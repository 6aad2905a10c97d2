import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineEvent, defineMessage, defineServer, defineWebSocketRouter, t } from '../../index.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { clientFrame, opcodes, openRawSocket, readServerFrames } from '../test-socket.ts'
import { jsonFrame, socketForm, textFrame } from './socket-frames.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

describe('a frame', () => {
  it.each([0, 1, 124, 125, 126, 127, 128, 65_534, 65_535, 65_536, 65_537, 200_000])(
    'is what RFC 6455, 5.2 says for %i bytes',
    (length) => {
      const text = 'x'.repeat(length)
      const frames = [...readServerFrames(textFrame(text))]
      expect(frames).toEqual([{ opcode: opcodes.text, payload: Buffer.from(text) }])
    },
  )

  it('counts the bytes of its text, and not the characters', () => {
    const [frame] = readServerFrames(textFrame('ä€😀'.repeat(20)))
    expect(frame?.payload.toString()).toBe('ä€😀'.repeat(20))
  })

  it('carries a type as JSON has it, and null for no data', () => {
    const [frame] = readServerFrames(jsonFrame('a"\n', undefined))
    expect(frame?.payload.toString()).toBe('{"type":"a\\"\\n","data":null}')
  })

  it('stands beside the others of its turn in one write', () => {
    const frame = { epoch: 'e', seq: 1, payload: 1, json: '1', subjects: undefined }
    const bytes = socketForm(false).encode([
      { ...frame, key: 'a', name: 'a', wireName: 'a' },
      { ...frame, key: 'b', name: 'b', wireName: 'b' },
    ])
    expect([...readServerFrames(bytes)].map(({ payload }) => payload.toString())).toEqual([
      '{"type":"a","data":1}',
      '{"type":"b","data":1}',
    ])
  })
})

describe('the frames that are written and those that the library writes', () => {
  it('never get into one another, at 20,000 frames of up to 200 kB with pings and messages between', async () => {
    const sizes = [1, 10, 100, 125, 126, 1000, 10_000, 65_500, 65_536, 200_000]
    const count = 20_000
    const big = defineEvent('big', t.Object({ n: t.Integer(), text: t.String() }))
    const echo = defineMessage(t.Integer(), async ({ payload }) => payload)
    const router = defineWebSocketRouter({ events: { big }, messages: { echo } })
    const options = { pingInterval: 300, maxBufferedBytes: 100_000_000 }
    const server = await startTestServer(defineServer().websockets(router, options))
    running.push(server)
    const connection = await openRawSocket(server.url)
    const read = readStrictly(connection.socket)
    connection.shake()
    await vi.waitFor(() => expect(read.texts).toBe(1), soon)
    for (let n = 0; n < count; n++) {
      await big.emit({ n, text: 'x'.repeat(n % 50 === 0 ? (sizes[(n / 50) % 10] ?? 1) : n % 300) })
      if (n % 10 === 0) {
        connection.socket.write(clientFrame(opcodes.ping, String(n)))
        connection.socket.write(clientFrame(opcodes.text, `{"type":"echo","data":${n}}`))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await vi.waitFor(() => expect(read.events).toBe(count), { interval: 20, timeout: 15_000 })
    await vi.waitFor(() => expect(read.pongs).toBe(count / 10), soon)
    await vi.waitFor(() => expect(read.pings).toBeGreaterThan(2), soon)
    expect(read).toMatchObject({ echoes: count / 10, failure: undefined })
    connection.socket.destroy()
  }, 60_000)
})

/** Counts what arrives, in its order, and notes the first thing that is no frame or out of order. */
function readStrictly(socket: Awaited<ReturnType<typeof openRawSocket>>['socket']) {
  const read = { texts: 0, events: 0, echoes: 0, pongs: 0, pings: 0, failure: undefined as unknown }
  let rest = Buffer.alloc(0)
  let isHead = true
  const take = (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    if (isHead) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return
      rest = rest.subarray(end + 4)
      isHead = false
    }
    for (const { opcode, payload } of readServerFrames(rest)) {
      rest = rest.subarray(payload.byteOffset - rest.byteOffset + payload.length)
      count(opcode, payload)
    }
  }
  const count = (opcode: number, payload: Buffer) => {
    if (opcode === opcodes.ping) {
      read.pings += 1
      socket.write(clientFrame(opcodes.pong, payload))
      return
    }
    if (opcode === opcodes.pong) {
      if (payload.toString() !== String(read.pongs * 10)) throw new Error('a pong out of order')
      read.pongs += 1
      return
    }
    const { type, data } = JSON.parse(payload.toString()) as { type: string; data: { n: number } }
    read.texts += 1
    if (type === 'big' && data.n !== read.events++) throw new Error('an event out of order')
    if (type === 'echo') read.echoes += 1
  }
  socket.on('data', (bytes: Buffer) => {
    try {
      take(bytes)
    } catch (error) {
      read.failure ??= error
    }
  })
  return read
}
