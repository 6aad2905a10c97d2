import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leaveNode, startTestWeb } from '../test-browser.ts'

const routeMap = {
  getNews: { method: 'GET', path: '/news' },
  getItem: { method: 'GET', path: '/items/:id' },
  unlink: { method: 'POST', path: '/hooks/:provider/unlink' },
} as const
beforeEach(leaveNode)
const web = await startTestWeb({ routeMap })
afterAll(web.api.stop)

const page = web.browser()
await page.call('login', await web.api.createUser())

const asked: URL[] = []
beforeEach(() => {
  asked.length = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (request) => {
    asked.push(new URL(request instanceof Request ? request.url : request))
    return Response.json({}, { headers: { 'cache-control': 'public, max-age=600' } })
  })
})
afterEach(() => vi.restoreAllMocks())

const get = (path: string) =>
  web.proxy.GET(new Request(`http://web.test${path}`, { headers: { cookie: page.cookieHeader() } }))

const inputOf = (input: object) => `?input=${encodeURIComponent(JSON.stringify(input))}`

// An attacker who leads a user to such an address must not find the user's answer in a cache.
describe('an address that a cache takes for a file', () => {
  it.each([
    '/api/rpc/getAuthSession.css',
    '/api/rpc/getAuthSession/.css',
    '/api/rpc/getAuthSession/a.js',
    '/api/rpc/getAuthSession%2fa.css',
    '/api/rpc/getAuthSession;a.css',
    '/api/rpc/getAuthSession%00.css',
    '/api/rpc/getAuthSession%3fa.css',
    '/api/rpc/getAuthSession%23.css',
    '/api/rpc/getAuthSession%0a',
    '/api/rpc/getAuthSession%20',
    '/api/rpc/getauthsession',
    '/api/rpc/%67etAuthSession%2e',
  ])('is no operation’s: %s', async (path) => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect(asked).toEqual([])
  })

  it.each([
    '/a.css/getAuthSession',
    '/api/rpc/getAuthSession?a.css',
    '/api/rpc/getAuthSession?/a.css',
    '/static/../api/rpc/getAuthSession',
    '/api/rpc/%67etAuthSession',
    '/api/rpc/getNews',
  ])('is kept by no cache where it is one: %s', async (path) => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.headers.get('vary')).toBe('Cookie')
  })
})

const elsewhere = [
  '@evil.test',
  '//evil.test',
  'http://evil.test',
  '..',
  '../admin',
  '..\\admin',
  '%2e%2e',
  '%2e%2e%2fadmin',
  '.%2e/admin',
  '..;/admin',
  '\t..\t',
  '\r\nHost: evil.test\r\n\r\n',
  '?admin=1',
  '#admin',
  ':8080',
  '\u0000',
  '\ud800',
  '\uff0f\uff0fevil.test',
  '\u2024\u2024',
  '$&$`',
  '',
  ' ',
  '.',
  [['..', 'admin']],
  { toString: null },
  null,
  true,
]

describe('a path parameter leads nowhere but to its own path', () => {
  it.each(elsewhere)('%j', async (id) => {
    const answer = await get(`/api/rpc/getItem${inputOf({ params: { id } })}`)
    const [first, ...more] = asked
    expect(more).toEqual([])
    if (!first) return expect(answer.status).toBe(400)
    expect(first.origin).toBe(new URL(web.api.url).origin)
    expect([first.username, first.search, first.hash]).toEqual(['', '', ''])
    expect(first.pathname).toMatch(/^\/items\/[^/]+$/)
    // A second reader that decodes once more can't be led out of the path either.
    expect(decodeURIComponent(first.pathname).split('/').slice(2)).toHaveLength(1)
  })

  it.each(elsewhere)('and a query or a header to no other host: %j', async (value) => {
    await get(
      `/api/rpc/getItem${inputOf({ params: { id: 'a' }, query: { a: value, [JSON.stringify(value)]: 1 } })}`,
    )
    await get(`/api/rpc/getItem${inputOf({ params: { id: 'a' }, headers: { a: value } })}`)
    for (const { origin, pathname } of asked) {
      expect([origin, pathname]).toEqual([new URL(web.api.url).origin, '/items/a'])
    }
  })

  it('nor does the name of an object’s own member, or another host in the request', async () => {
    expect((await get(`/api/rpc/getItem${inputOf({ params: {} })}`)).status).toBe(400)
    for (const name of ['constructor', 'hasOwnProperty', '__proto__', 'valueOf']) {
      expect((await get(`/api/rpc/${name}`)).status).toBe(404)
    }
    const request = new Request('http://evil.test:81/api/rpc/getNews', {
      headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' },
    })
    await web.proxy.GET(request)
    expect(asked.map(({ origin }) => origin)).toEqual([new URL(web.api.url).origin])
  })
})
