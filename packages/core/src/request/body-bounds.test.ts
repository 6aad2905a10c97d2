import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { route, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'

const size = async (c: { data: () => Promise<{ body: unknown }> }) => ({
  size: JSON.stringify((await c.data()).body).length,
})
const takesText = { body: t.String() }
const answersSize = t.Object({ size: t.Number() })

let mayRead = Promise.withResolvers<void>()
/** Work before a body is read, such as looking up the signing key. */
const first = defineMiddleware('first', async (c, next) => {
  await mayRead.promise
  return next()
})

const router = defineRouter({
  late: route.post('/late').input(takesText).answer(answersSize).use([first]).handler(size),
  usual: route.post('/usual').input(takesText).answer(answersSize).handler(size),
  small: route
    .post('/small')
    .input(takesText)
    .body({ maxBytes: 100 })
    .answer(answersSize)
    .handler(size),
  large: route
    .post('/large')
    .input(takesText)
    .body({ maxBytes: 50_000 })
    .answer(answersSize)
    .handler(size),
})
const limits = { bodyBytes: 10_000, bodiesBytes: 60_000, requestMillis: 5_000 }
const server = await startTestServer(defineServer().routes(router).limits(limits))
afterAll(server.stop)
const { bodies } = server.infrastructure

const send = (path: string, bytes: number) =>
  server.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify('x'.repeat(bytes - 2)),
  })

interface Sender {
  socket: Socket
  /** All that was answered, once the connection has ended. */
  answered: Promise<string>
}

/** Announces more than it sends, and waits. */
function sendSlowly(path: string, chunks: Buffer[]): Sender {
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const parts: string[] = []
  const answered = new Promise<string>((resolve) => {
    socket.on('data', (part) => parts.push(String(part)))
    socket.on('close', () => resolve(parts.join('')))
    socket.on('error', () => {})
  })
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  for (const chunk of chunks) {
    socket.write(`${chunk.length.toString(16)}\r\n${chunk.toString()}\r\n`)
  }
  return { socket, answered }
}

const quiet = () => expect.poll(() => bodies.heldBytes).toBe(0)

describe('a route that declares .body({ maxBytes })', () => {
  it('takes that many bytes and refuses one more, below and above the server’s own', async () => {
    expect((await send('/usual', 10_000)).status).toBe(200)
    expect((await send('/usual', 10_001)).status).toBe(413)
    expect((await send('/small', 100)).status).toBe(200)
    const refused = await send('/small', 101)
    expect(refused.status).toBe(413)
    expect(await refused.json()).toMatchObject({
      error: { code: 'PayloadTooLargeError', message: 'The body is over 100 bytes.' },
    })
    expect(await (await send('/large', 50_000)).json()).toEqual({ size: 50_000 })
    expect((await send('/large', 50_001)).status).toBe(413)
    await quiet()
  })

  it('refuses one that announces no length as soon as it is over', async () => {
    const { answered } = sendSlowly('/small', [Buffer.alloc(101, 'x')])
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /)
    await quiet()
  })

  it('is told in the OpenAPI document', async () => {
    const { paths } = (await (await server.fetch('/_core/openapi.json')).json()) as {
      paths: Record<string, { post: { requestBody: object } }>
    }
    expect(paths['/small']?.post.requestBody).toMatchObject({ description: 'At most 100 bytes.' })
    expect(paths['/usual']?.post.requestBody).not.toHaveProperty('description')
  })

  it.each([-1, 1.5, Number.NaN])('is not made with %s bytes', (maxBytes) => {
    expect(() => route.post('/').body({ maxBytes })).toThrow('a whole number of bytes')
  })
})

describe('bodies that come with their heads', () => {
  const post = (text: string, path = '/usual') =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`

  it('leave their connection open for the next request, and belong to one request each', async () => {
    const { port, hostname } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let answers = ''
    socket.on('data', (part) => (answers += String(part)))
    socket.write(post('"a"') + post('"bc"') + post('"def"').slice(0, -2))
    await expect.poll(() => answers.match(/\{"size":\d+\}/g)).toEqual(['{"size":3}', '{"size":4}'])
    socket.write('f"')
    await expect.poll(() => answers.match(/\{"size":\d+\}/g)?.at(2)).toBe('{"size":5}')
    socket.write(post('"ghij"'))
    await expect.poll(() => answers.match(/\{"size":\d+\}/g)?.at(3)).toBe('{"size":6}')
    expect(answers).not.toMatch(/^connection: close/im)
    expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(4)
    socket.destroy()
    await quiet()
  })

  it('are whole in however many parts they had come by the time they are read', async () => {
    for (const parts of [2, 3, 5]) {
      mayRead = Promise.withResolvers()
      const { port, hostname } = new URL(server.url)
      const socket = connect({ port: Number(port), host: hostname, noDelay: true })
      let answer = ''
      socket.on('data', (part) => (answer += String(part)))
      const request = post(`"${'x'.repeat(40)}"`, '/late')
      socket.write(request.slice(0, -parts))
      for (const last of request.slice(-parts)) {
        await wait(20)
        socket.write(last)
      }
      await wait(20)
      mayRead.resolve()
      await expect.poll(() => answer).toContain('{"size":42}')
      socket.destroy()
    }
    await quiet()
  })

  it('are counted until their requests are over, and refused where there is no room', async () => {
    const others = [30_000, 29_000].map((bytes) => sendSlowly('/large', [Buffer.alloc(bytes, 'x')]))
    await expect.poll(() => bodies.heldBytes).toBeGreaterThanOrEqual(59_000)
    const { status } = await send('/large', 40_000)
    expect(status).toBe(503)
    for (const { socket } of others) socket.destroy()
    await quiet()
  })
})

describe('the bodies under way', () => {
  it('are counted as they arrive, and let go of when their requests are over', async () => {
    const sender = sendSlowly('/large', [Buffer.alloc(20_000, 'x')])
    await expect.poll(() => bodies.heldBytes).toBeGreaterThanOrEqual(20_000)
    sender.socket.destroy()
    await quiet()
    await Promise.all(Array.from({ length: 20 }, () => send('/usual', 2_000)))
    await quiet()
  })

  it('have a bound together: the largest that still arrives gives way, and a small one gets in', async () => {
    const middling = sendSlowly('/large', [Buffer.alloc(25_000, 'x')])
    const largest = sendSlowly('/large', [Buffer.alloc(34_000, 'x')])
    await expect.poll(() => bodies.heldBytes).toBeGreaterThanOrEqual(59_000)

    expect((await send('/usual', 2_000)).status).toBe(200)
    const answer = await largest.answered
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toMatch(/^retry-after: \d+/im)
    expect(answer).toContain('"__type":"ServiceUnavailableError"')
    expect(bodies.heldBytes).toBeLessThan(34_000)
    middling.socket.destroy()
    await quiet()
  })

  it('count a chunk as what it takes to hold, however little it carries', async () => {
    const bytes = Array.from({ length: 400 }, () => Buffer.from('x'))
    const sender = sendSlowly('/usual', bytes)
    expect(await sender.answered).toMatch(/^HTTP\/1\.1 503 /)
    await quiet()
  })
})
