import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveUntilReady } from '../../../../scripts/browser/serve-web-app.ts'
import { ask, cookiesOf } from './ask.ts'
import { app } from './running-web-app.ts'
import { freeAddress } from './test-web-app.ts'

/** The first line of what comes back for a request line, once the connection is closed. */
function raw(line: string, headers = '') {
  return new Promise<string>((resolve) => {
    let answer = ''
    const { hostname, port, host } = new URL(app.web)
    const socket = connect(Number(port), hostname)
    socket.setTimeout(10_000, () => socket.destroy(new Error('held')))
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('error', ({ message }) => resolve(message))
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
    socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`)
  })
}

const webSocket =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

describe('the web app', () => {
  it.each([
    ['OPTIONS *', '', 400],
    ['GET *', '', 400],
    ['TRACE /', '', 405],
    ['CONNECT elsewhere.test:80', '', 405],
    ['GET http://elsewhere.test/', '', 400],
    ['GET /api/rpc/%', '', 400],
    ['GET /', webSocket, 400],
    ['GET /login', webSocket, 400],
    ['GET /', 'Host: elsewhere.test\r\n', 400],
  ])('refuses %s', async (line, headers, status) => {
    expect(await raw(line, headers)).toContain(`HTTP/1.1 ${status} `)
  })

  it('loses no time over a query of 7,500 parameters', async () => {
    const began = performance.now()
    expect(await raw(`GET /?${'a&'.repeat(7500)}`)).toContain('HTTP/1.1 414 ')
    expect(await raw(`GET /?${'a&'.repeat(3000)}`)).toContain('HTTP/1.1 400 ')
    expect(performance.now() - began).toBeLessThan(500)
  })

  it('says of itself whether it is ready', async () => {
    expect(await ask('/_web/health/ready')).toMatchObject({ status: 200, body: '{"status":"ok"}' })
  })
})

describe('a web app whose API is down', () => {
  it('answers 503 with Retry-After: its calls, what it forwards, and pages that ask', async () => {
    const cookie = await cookiesOf(await app.api.createUser())
    const url = await freeAddress()
    const env = { ...app.env, SVC_API_URL: 'http://127.0.0.1:1', SVC_AUTH_COOKIE_SECURE: 'off' }
    const served = await serveUntilReady({ folder: app.folder, url, env })
    onTestFinished(served.stop)
    const statusOf = async (path: string) => {
      const { status, headers } = await ask(path, { cookie, accept: 'text/html' }, url)
      return [path, status, headers['retry-after'], headers['content-type']?.split(';')[0]]
    }
    expect(await statusOf('/api/rpc/listNotices')).toEqual([
      '/api/rpc/listNotices',
      503,
      '5',
      'application/json',
    ])
    expect(await statusOf('/_auth/session')).toEqual([
      '/_auth/session',
      503,
      '5',
      'application/json',
    ])
    expect(await statusOf('/account')).toEqual(['/account', 503, '5', 'text/html'])
    expect((await ask('/', {}, url)).status).toBe(200)
  })
})
