import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { bytesBody, route, streamBody, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'

const handled: string[] = []

const router = defineRouter({
  bytes: route
    .post('/bytes/:name')
    .input({
      params: t.Object({ name: t.String() }),
      body: bytesBody({ maxBytes: 100_000, types: ['image/png', 'text/*'] }),
    })
    .handler(async (c) => {
      const { params, body } = await c.data()
      handled.push(params.name)
      return { type: body.type, hex: body.bytes.toString('hex') }
    }),
  stream: route
    .post('/stream/:name')
    .input({
      params: t.Object({ name: t.String() }),
      body: streamBody({ maxBytes: 100_000, types: ['image/png', 'text/*'] }),
    })
    .handler(async (c) => {
      const { params, body } = await c.data()
      handled.push(params.name)
      const twice = await Promise.all([buffer(body.stream()), buffer(body.stream())])
      expect(twice[0]).toEqual(twice[1])
      expect(body.size).toBe(twice[0].length)
      return { type: body.type, hex: twice[0].toString('hex') }
    }),
  anything: route
    .post('/anything')
    .input({ body: bytesBody({ maxBytes: 100 }) })
    .handler(async (c) => (await c.data()).body.type),
})
const limits = { bodyBytes: 1000, requestMillis: 3_000 }
const server = await startTestServer(defineServer().routes(router).limits(limits))
afterAll(server.stop)
const { bodies, spooled } = server.infrastructure
const api = server.api<typeof router>()

/** What no text has: bytes that are not UTF-8, a NUL, both ends of a line. */
const odd = new Uint8Array([0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x0a, 0xc3, 0x28])

async function send(path: string, body: BodyInit, type = 'text/plain') {
  const headers = { 'content-type': type }
  const answer = await server.fetch(path, { method: 'POST', headers, body })
  return [answer.status, (await answer.json()).error?.code]
}

/** Sends this to the letter, and resolves to all that is answered until the connection ends. */
function sendRaw(path: string, head: string[], body: string, { ends = false } = {}) {
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const parts: string[] = []
  socket.on('data', (part) => parts.push(String(part))).on('error', () => {})
  const start = [`POST ${path} HTTP/1.1`, 'host: x', 'content-type: text/plain', ...head]
  socket.write(`${start.join('\r\n')}\r\n\r\n${body}`)
  if (ends) socket.end()
  const answered = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(parts.join('')))
  })
  return { socket, answered }
}

describe.each(['bytes', 'stream'] as const)('a body of %s', (kind) => {
  it('reaches the handler byte for byte, with the type it came with', async () => {
    const body = new Blob([odd], { type: 'text/x-odd; charset=x' })
    const input = { params: { name: 'a' }, body }
    const answer = { type: 'text/x-odd', hex: Buffer.from(odd).toString('hex') }
    expect(await api[kind].call(input)).toEqual(answer)
  })

  it('has its own bound, above the server’s, and is refused at one byte more', async () => {
    expect(await send(`/${kind}/a`, Buffer.alloc(100_000))).toEqual([200, undefined])
    expect(await send(`/${kind}/a`, Buffer.alloc(100_001))).toEqual([413, 'PayloadTooLargeError'])
  })

  it('is refused as soon as it is over, where it announces no length', async () => {
    const chunk = `${(100_001).toString(16)}\r\n${'x'.repeat(100_001)}\r\n`
    const { answered } = sendRaw(`/${kind}/over`, ['transfer-encoding: chunked'], chunk)
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /)
    expect(handled).not.toContain('over')
  })

  it('is refused with 415 before it is read, if its type is another or it is encoded', async () => {
    for (const type of ['image/gif', 'textile/x', 'application/json', '']) {
      expect(await send(`/${kind}/type`, 'x', type)).toEqual([415, 'UnsupportedMediaTypeError'])
    }
    const encoded = sendRaw(`/${kind}/type`, ['content-encoding: gzip', 'content-length: 9'], '')
    expect(await encoded.answered).toMatch(/^HTTP\/1\.1 415 /)
    expect(handled).not.toContain('type')
  })

  it('is not handled when it was cut off, whether it said its length or not', async () => {
    for (const head of ['content-length: 50', 'transfer-encoding: chunked']) {
      const body = head.startsWith('t') ? '5\r\nhello\r\n' : 'hello'
      const { answered } = sendRaw(`/${kind}/cut`, [head], body, { ends: true })
      await answered
    }
    expect(handled).not.toContain('cut')
    await expect.poll(() => bodies.heldBytes + spooled.heldBytes).toBe(0)
  })

  it('ends at its length: what comes behind it is another request', async () => {
    const next = 'GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    const { answered } = sendRaw(`/${kind}/length`, ['content-length: 2'], `ab${next}`)
    expect(await answered).toMatch(/^HTTP\/1\.1 200 [^]*"hex":"6162"[^]*HTTP\/1\.1 404 /)
  })

  it('is refused with 408 when it takes longer to arrive than the server gives it', async () => {
    const { answered } = sendRaw(`/${kind}/slow`, ['content-length: 50'], 'hello')
    expect(await answered).toMatch(/^HTTP\/1\.1 408 /)
    expect(handled).not.toContain('slow')
  })
})

describe('the typed client', () => {
  it('sends a Blob, bytes or a stream', async () => {
    const stream = new Blob([odd]).stream()
    const plain = server.api<typeof router>({
      routeMap: { anything: { method: 'POST', path: '/anything', rawBody: { maxBytes: 100 } } },
    })
    const answers = [new Blob([odd], { type: 'image/png' }), odd, stream].map((body) =>
      plain.anything.call({ body }),
    )
    const unknown = 'application/octet-stream'
    expect(await Promise.all(answers)).toEqual(['image/png', unknown, unknown])
  })
})

describe('documents', () => {
  it('tell the types and the bound of a body that isn’t JSON', async () => {
    const { paths } = await (await server.fetch('/_core/openapi.json')).json()
    expect(paths['/bytes/{name}'].post.requestBody).toEqual({
      required: true,
      description: 'At most 100000 bytes.',
      content: { 'image/png': {}, 'text/*': {} },
    })
    expect(paths['/anything'].post.requestBody.content).toEqual({ '*/*': {} })
    expect(paths['/anything'].post.responses).toHaveProperty('415')
  })
})

describe('a declaration that could not be served', () => {
  it.each([0, -1, 1.5, Number.NaN])('is refused: a bound of %s bytes', (maxBytes) => {
    expect(() => bytesBody({ maxBytes })).toThrow('a whole number of bytes')
  })

  it.each(['png', 'image/', '*/*', 'image/png; q=1'])('is refused: the type "%s"', (type) => {
    expect(() => bytesBody({ maxBytes: 1, types: [type] })).toThrow('is not a media type')
  })

  it('is refused at boot by the name of its route', async () => {
    const body = bytesBody({ maxBytes: 1 })
    const refused = {
      'is a GET': route.get('/x').input({ body }),
      'limits its body twice': route.post('/x').input({ body }).body({ maxBytes: 2 }),
      'both a body and a form': route.post('/x').input({ body, form: t.Object({}) }),
      'whose bodies are JSON': route.post('/x').input({ body }).inContract('x', { proof: false }),
    }
    for (const [why, x] of Object.entries(refused)) {
      const starting = startTestServer(
        defineServer().routes(defineRouter({ x: x.handler(() => 1) })),
      )
      await expect(starting).rejects.toThrow(new RegExp(`Route "x" .*${why}`))
    }
  })
})
