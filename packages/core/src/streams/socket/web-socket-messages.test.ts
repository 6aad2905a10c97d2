import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MessageMap } from '../../events/web-socket-router.ts'
import { defineMessage, defineServer, defineWebSocketRouter, HttpError, t } from '../../index.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import type { WebSocketOptions } from '../access/stream-options.ts'
import {
  asUser,
  clientFrame,
  opcodes,
  openRawSocket,
  openTestWebSocket,
  readServerFrames,
  tokenOf,
} from '../test-socket.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function start(messages: MessageMap, options: WebSocketOptions = {}) {
  const router = defineWebSocketRouter({ messages })
  const server = await startTestServer(defineServer().use([asUser]).websockets(router, options))
  running.push(server)
  return { ...server, open: (query = '') => openTestWebSocket(`${server.url}/events/ws${query}`) }
}

async function openRaw(url: string) {
  const connection = await openRawSocket(url)
  connection.shake()
  await vi.waitFor(() => expect(connection.body().length).toBeGreaterThan(0), soon)
  const frames = () =>
    [...readServerFrames(connection.body())].map(({ opcode, payload }) => ({
      opcode,
      text: payload.toString(),
      code: opcode === opcodes.close ? payload.readUInt16BE() : undefined,
    }))
  return { ...connection, frames }
}

const echo = defineMessage(t.Object({ text: t.String() }), ({ payload }) => payload)

describe('a message', () => {
  it('goes to the handler of its type with payload, subject and socket (E-069)', async () => {
    const seen: unknown[] = []
    const say = defineMessage(t.Object({ text: t.String() }), ({ payload, subject, ws }) => {
      seen.push(payload, subject)
      ws.send('news', { of: subject })
    })
    const server = await start({ say }, { auth: { enabled: true } })
    const socket = await server.open(`?token=${await tokenOf(server, 'ann')}`)
    socket.send('say', { text: 'hi' })
    await vi.waitFor(() => expect(socket.dataOf('news')).toEqual([{ of: 'ann' }]), soon)
    expect(seen).toEqual([{ text: 'hi' }, 'ann'])
  })

  it('has no subject where every client may open a socket (E-069)', async () => {
    const keys = ({ payload: _, ...rest }: object & { payload: unknown }) => Object.keys(rest)
    const server = await start({ keys })
    const socket = await server.open()
    socket.send('keys')
    await vi.waitFor(() => expect(socket.dataOf('keys')).toEqual([['ws']]), soon)
  })

  it('is answered with what its handler returns, and not at all when it returns nothing', async () => {
    const nothing = defineMessage(t.Unknown(), () => {})
    const nil = () => null
    const server = await start({ nothing, nil, echo })
    const socket = await server.open()
    socket.send('nothing', 1)
    socket.send('nil')
    socket.send('echo', { text: 'hi' })
    await vi.waitFor(() => expect(socket.dataOf('echo')).toHaveLength(1), soon)
    expect(socket.frames.slice(1)).toEqual([
      { type: 'nil', data: null },
      { type: 'echo', data: { text: 'hi' } },
    ])
  })

  it('may come in fragments, with a ping between them', async () => {
    const server = await start({ echo })
    const connection = await openRaw(server.url)
    const text = JSON.stringify({ type: 'echo', data: { text: 'ä'.repeat(100) } })
    const bytes = Buffer.from(text)
    connection.socket.write(clientFrame(opcodes.text, bytes.subarray(0, 40), false))
    connection.socket.write(clientFrame(opcodes.ping, 'still there?'))
    connection.socket.write(clientFrame(opcodes.continuation, bytes.subarray(40, 41), false))
    connection.socket.write(clientFrame(opcodes.continuation, bytes.subarray(41)))
    await vi.waitFor(() => expect(connection.frames()).toHaveLength(3), soon)
    expect(connection.frames().slice(1)).toEqual([
      { opcode: opcodes.pong, text: 'still there?' },
      { opcode: opcodes.text, text },
    ])
    connection.socket.destroy()
  })
})

describe('messages of one client', () => {
  it('are answered in their order, however long each takes', async () => {
    const delay = defineMessage(t.Integer(), async ({ payload }) => {
      await wait(payload)
      return payload
    })
    const server = await start({ delay })
    const socket = await server.open()
    socket.send('delay', 30)
    socket.ws.send(Buffer.from([1]))
    socket.send('unknown')
    socket.send('delay', 1)
    await vi.waitFor(() => expect(socket.frames).toHaveLength(5), soon)
    expect(socket.frames.slice(1).map(({ type }) => type)).toEqual([
      'delay',
      'error',
      'error',
      'delay',
    ])
    expect(socket.dataOf('delay')).toEqual([30, 1])
  })

  it('do not wait for those of another', async () => {
    const hold = Promise.withResolvers<void>()
    const server = await start({ hold: () => hold.promise, echo })
    const [one, two] = [await server.open(), await server.open()]
    one.send('hold')
    two.send('echo', { text: 'hi' })
    await vi.waitFor(() => expect(two.dataOf('echo')).toHaveLength(1), soon)
    hold.resolve()
  })

  it.each([
    ['many', 60_000, 500],
    ['large', 60, 500_000],
  ])('are read no faster than they are answered, and none is lost: %s', async (_, count, size) => {
    let most = 0
    let waiting = 0
    let answered = 0
    const hold = Promise.withResolvers<void>()
    const slow = defineMessage(t.String(), async () => {
      waiting += 1
      most = Math.max(most, waiting)
      await hold.promise
      waiting -= 1
      answered += 1
    })
    const server = await start({ slow }, { pingInterval: 1000 })
    const socket = await server.open()
    const text = 'x'.repeat(size)
    for (let n = 0; n < count; n++) socket.send('slow', text)
    await wait(2300)
    // What the server does not read waits with the client: the system takes some megabytes of the thirty.
    expect(socket.ws.bufferedAmount).toBeGreaterThan(12_000_000)
    // It cannot answer pings behind what is not read, and is not cut off for that.
    expect(socket.ws.readyState).toBe(socket.ws.OPEN)
    hold.resolve()
    await vi.waitFor(() => expect(answered).toBe(count), { timeout: 40_000, interval: 50 })
    expect(most).toBe(1)
    socket.leave()
  })

  it('that came before it left are handled, and those of a client that was sent away are not', async () => {
    const seen: unknown[] = []
    const holds = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const note = defineMessage(t.String(), ({ payload }) => void seen.push(payload))
    const hold = defineMessage(t.Integer(), ({ payload }) => holds[payload]?.promise)
    const kick = defineMessage(t.Unknown(), ({ ws }) => ws.close(4001, 'be gone'))
    const server = await start({ note, hold, kick })
    const [left, kicked] = [await server.open(), await server.open()]
    left.send('hold', 0)
    left.send('note', 'left')
    left.ws.close()
    expect(await left.closed).toMatchObject({ code: 1005 })
    kicked.send('hold', 1)
    kicked.send('kick')
    kicked.send('note', 'kicked')
    for (const { resolve } of holds) resolve()
    expect(await kicked.closed).toEqual({ code: 4001, reason: 'be gone' })
    await vi.waitFor(() => expect(seen).toEqual(['left']), soon)
  })
})

describe('what is wrong with a message', () => {
  const count = defineMessage(t.Object({ secret: t.Integer() }), ({ payload }) => payload)

  it.each([
    ['bad JSON', '{', 'BadRequestError'],
    ['nothing', '', 'BadRequestError'],
    ['no object', 'null', 'BadRequestError'],
    ['a list', '[]', 'BadRequestError'],
    ['no type', '{"data":1}', 'BadRequestError'],
    ['a type that is no text', '{"type":1}', 'BadRequestError'],
    ['a member twice', '{"type":"echo","type":"echo"}', 'BadRequestError'],
    ['__proto__', '{"type":"echo","data":{"__proto__":{"a":1}}}', 'BadRequestError'],
    ['__proto__ escaped', '{"type":"echo","data":{"__\\u0070roto__":{}}}', 'BadRequestError'],
    [
      'deep nesting',
      `{"type":"echo","data":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'BadRequestError',
    ],
    ['an unknown type', '{"type":"nope"}', 'NotFoundError'],
    ['a member of every object', '{"type":"constructor"}', 'NotFoundError'],
    ['another one', '{"type":"hasOwnProperty"}', 'NotFoundError'],
    ['a type that would be a prototype', '{"type":"__proto__"}', 'NotFoundError'],
    ['no data', '{"type":"echo"}', 'ValidationError'],
  ])('is told in an error frame, and the socket stays: %s', async (_, text, code) => {
    const server = await start({ echo })
    const socket = await server.open()
    socket.ws.send(text)
    socket.send('echo', { text: 'still here' })
    await vi.waitFor(() => expect(socket.dataOf('echo')).toHaveLength(1), soon)
    expect(socket.dataOf('error')).toMatchObject([{ code }])
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('names fields and never values', async () => {
    const server = await start({ count })
    const socket = await server.open()
    socket.send('count', { secret: 'hunter2' })
    await vi.waitFor(() => expect(socket.dataOf('error')).toHaveLength(1), soon)
    expect(socket.dataOf('error')).toMatchObject([
      { code: 'ValidationError', for: 'count', fields: [{ path: 'data.secret' }] },
    ])
    expect(JSON.stringify(socket.frames)).not.toContain('hunter2')
  })

  it('is that it is binary', async () => {
    const server = await start({ echo })
    const socket = await server.open()
    socket.ws.send(Buffer.from(JSON.stringify({ type: 'echo', data: { text: 'hi' } })))
    await vi.waitFor(() => expect(socket.dataOf('error')).toHaveLength(1), soon)
    expect(socket.dataOf('error')).toMatchObject([{ code: 'BadRequestError' }])
  })

  it('closes the socket with 1009 when it is too large, in one frame or in many (E-072)', async () => {
    const server = await start({ echo })
    const largest = await server.open()
    largest.send('echo', { text: 'x'.repeat(1_048_576 - 34) })
    await vi.waitFor(() => expect(largest.dataOf('echo')).toHaveLength(1), soon)
    largest.ws.send('x'.repeat(1_048_577))
    expect(await largest.closed).toMatchObject({ code: 1009 })

    const connection = await openRaw(server.url)
    const half = 'x'.repeat(600_000)
    connection.socket.write(clientFrame(opcodes.text, half, false))
    connection.socket.write(clientFrame(opcodes.continuation, half))
    await vi.waitFor(() => expect(connection.frames().at(-1)).toMatchObject({ code: 1009 }), soon)
    connection.socket.destroy()
  })

  it('closes the socket with 1009 where the registration sets another limit (E-072)', async () => {
    const server = await start({ echo }, { maxPayload: 100 })
    const socket = await server.open()
    socket.ws.send('x'.repeat(101))
    expect(await socket.closed).toMatchObject({ code: 1009 })
  })

  it.each([
    ['1007 when it is no UTF-8', 1007, clientFrame(opcodes.text, Buffer.from([0xc3, 0x28]))],
    ['1002 when it is a reserved opcode', 1002, clientFrame(3, 'x')],
    ['1002 when it is not masked', 1002, Buffer.from([0x81, 1, 120])],
    ['1002 when a control frame is too long', 1002, clientFrame(opcodes.ping, 'x'.repeat(126))],
    ['1002 when it continues nothing', 1002, clientFrame(opcodes.continuation, 'x')],
  ])('closes the socket with %s', async (_, code, bytes) => {
    const server = await start({ echo })
    const connection = await openRaw(server.url)
    connection.socket.write(bytes)
    await vi.waitFor(() => expect(connection.frames().at(-1)).toMatchObject({ code }), soon)
    connection.socket.destroy()
  })
})

class SeatTakenError extends HttpError<{ seat: number | bigint }> {
  readonly name = 'SeatTakenError'
  readonly status = 409
}

describe('a handler that fails', () => {
  it('tells a refusal with its public fields', async () => {
    const book = () => {
      throw new SeatTakenError({ message: 'Taken.', seat: 4 })
    }
    const server = await start({ book })
    const socket = await server.open()
    socket.send('book')
    await vi.waitFor(() => expect(socket.dataOf('error')).toHaveLength(1), soon)
    expect(socket.dataOf('error')).toEqual([
      { code: 'SeatTakenError', message: 'Taken.', seat: 4, for: 'book' },
    ])
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('tells nothing of a bug, which the log has', async () => {
    const bug = async () => {
      throw new Error('at host db-7')
    }
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const server = await start({ bug, circle: () => circle })
    const socket = await server.open()
    socket.send('bug')
    socket.send('circle')
    await vi.waitFor(() => expect(socket.dataOf('error')).toHaveLength(2), soon)
    expect(socket.dataOf('error')).toEqual([
      { code: 'Error', message: 'Internal Server Error', for: 'bug' },
      { code: 'Error', message: 'Internal Server Error', for: 'circle' },
    ])
    expect(JSON.stringify(server.logged)).toContain('at host db-7')
  })

  it('does not end the process with a refusal that JSON cannot say', async () => {
    const broke = () => {
      throw new SeatTakenError({ seat: 4n })
    }
    const server = await start({ broke, echo })
    const socket = await server.open()
    socket.send('broke')
    socket.send('echo', { text: 'hi' })
    await vi.waitFor(() => expect(socket.dataOf('echo')).toHaveLength(1), soon)
    expect(socket.dataOf('error')).toMatchObject([{ code: 'Error', for: 'broke' }])
  })

  it('answers a failure of the database as a request would be', async () => {
    const save = () => {
      throw Object.assign(new Error('duplicate key'), { code: '23505', severity: 'ERROR' })
    }
    const server = await start({ save })
    const socket = await server.open()
    socket.send('save')
    await vi.waitFor(() => expect(socket.dataOf('error')).toHaveLength(1), soon)
    expect(socket.dataOf('error')).toMatchObject([{ code: 'ConflictError', for: 'save' }])
    expect(JSON.stringify(socket.frames)).not.toContain('duplicate key')
  })
})

describe('the socket that a handler has', () => {
  it('sends frames of other types, and may do so later', async () => {
    const later = defineMessage(t.Unknown(), ({ ws }) => {
      setTimeout(() => ws.send('later', [1]), 10)
      ws.send('at once')
    })
    const server = await start({ later })
    const socket = await server.open()
    socket.send('later')
    await vi.waitFor(() => expect(socket.frames).toHaveLength(3), soon)
    expect(socket.frames.slice(1)).toEqual([
      { type: 'at once', data: null },
      { type: 'later', data: [1] },
    ])
  })

  it('closes with a code, and takes what is sent behind that for nothing', async () => {
    const bye = defineMessage(t.Unknown(), ({ ws }) => {
      ws.close(4000, 'bye')
      ws.close(4001, 'again')
      ws.send('too late')
    })
    const server = await start({ bye })
    const socket = await server.open()
    socket.send('bye')
    expect(await socket.closed).toEqual({ code: 4000, reason: 'bye' })
    expect(socket.dataOf('too late')).toEqual([])
    expect(server.infrastructure.streams.size).toBe(0)
  })

  it('stays as it was when there is no such code to close with', async () => {
    const bye = defineMessage(t.Integer(), ({ payload, ws }) => ws.close(payload))
    const server = await start({ bye, echo })
    const socket = await server.open()
    socket.send('bye', 7)
    socket.send('echo', { text: 'hi' })
    await vi.waitFor(() => expect(socket.dataOf('echo')).toHaveLength(1), soon)
    expect(socket.dataOf('error')).toMatchObject([{ code: 'Error', for: 'bye' }])
    socket.send('bye', 1000)
    expect(await socket.closed).toMatchObject({ code: 1000 })
  })
})
