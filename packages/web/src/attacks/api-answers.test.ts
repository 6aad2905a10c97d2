import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createRpcProxy } from '../proxy.ts'

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})
afterEach(() => vi.restoreAllMocks())

const routeMap = {
  file: { method: 'GET', path: '/files/:name' },
  open: { method: 'POST', path: '/open' },
} as const

/** A proxy before an API that is this server. */
async function before(server: Server) {
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port
  return createRpcProxy({ routeMap, apiUrl: `http://127.0.0.1:${port}`, env: {} })
}

const answering = (answer: RequestListener) => before(createServer(answer))

const input = encodeURIComponent(JSON.stringify({ params: { name: 'a' } }))
const getFile = () => new Request(`http://web.test/api/rpc/file?input=${input}`)

describe('what an API says against its answers being misread', () => {
  const saying = (headers: Record<string, string>) =>
    answering((_, outgoing) => outgoing.writeHead(200, headers).end('<script>alert(1)</script>'))

  // On the web app’s origin, where the session is, a file from a user must not become a page.
  it.each([
    ['content-disposition', 'attachment; filename="a.html"'],
    ['content-security-policy', 'sandbox'],
    ['vary', 'Accept-Language'],
  ])('is said to the browser too: %s', async (name, value) => {
    const { GET } = await saying({ 'content-type': 'text/html', [name]: value })
    expect((await GET(getFile())).headers.get(name)).toBe(value)
  })

  it('is that its type holds, whether or not it says so', async () => {
    for (const headers of [{}, { 'content-type': 'text/plain' }]) {
      const { GET } = await saying(headers)
      expect((await GET(getFile())).headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('holds for refusals of the proxy’s own', async () => {
    const { GET } = await saying({})
    const answer = await GET(new Request('http://web.test/api/rpc/%3Cscript%3E.html'))
    expect(answer.status).toBe(404)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).not.toContain('script')
  })
})

describe('an answer that is none', () => {
  const raw = (bytes: string) =>
    before(createSocketServer((socket) => socket.once('data', () => socket.end(bytes))))

  const open = (body: object) =>
    new Request('http://web.test/api/rpc/open', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ body }),
    })

  it.each([
    'HTTP/1.1 200 OK\r\nset-cookie: setup=secret-of-the-answer\r\nbroken header\r\n\r\n{"a":"secret-of-the-answer"}',
    'secret-of-the-answer',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 500\r\n\r\nsecret-of-the-answer',
    'HTTP/1.1 302 Found\r\nlocation: http://secret-of-the-answer\r\nx: \u0000\r\n\r\n',
    '',
  ])('is 503, and no secret of either side is logged or shown: %j', async (bytes) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { POST } = await raw(bytes)
    const answer = await POST(open({ password: 'secret-of-the-call' }))
    expect([answer.status, await answer.text()]).toEqual([
      503,
      expect.not.stringContaining('secret'),
    ])
    expect(log).toHaveBeenCalledOnce()
    expect(inspect(log.mock.calls, { depth: 20, showHidden: true })).not.toContain('secret-of')
  })
})
