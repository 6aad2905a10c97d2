import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authInterceptors, configureAuth } from '../proxy.ts'
import { requestOf, type Sent, startItemsWeb } from '../test-items.ts'

const web = await startItemsWeb()
const { api, env, reached, routeMap, proxyWith } = web
afterAll(api.stop)

const user = await api.signedInUser()
const page = await web.signedIn(user)
const right = `${page.cookies.get('svc_csrf')}`
const cookies = { svc_session: page.cookies.get('svc_session'), svc_csrf: right }
const wrong = '0'.repeat(64)

const enforcing = proxyWith({ SVC_AUTH_CSRF: 'enforce' })
const asked = (name: string, sent: Sent = {}, { POST } = enforcing) =>
  POST(requestOf(name, { cookies, ...sent }))
const headersWith = (token: string) => ({ 'x-svc-csrf': token })

beforeEach(() => {
  api.clock.set(new Date())
  reached.length = 0
})
afterEach(() => configureAuth({ csrf: {} }))

describe('a refusal', () => {
  it('is a 403 with these members and a fresh cookie, and nothing has reached the API (A-341, A-345)', async () => {
    const answer = await asked('postItem', { headers: headersWith(wrong) })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toEqual({
      error: 'Forbidden',
      message: 'CSRF token missing or invalid',
      __type: 'ForbiddenError',
    })
    expect(answer.headers.getSetCookie()).toEqual([
      `svc_csrf=${right}; Path=/; Max-Age=604800; SameSite=Lax`,
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('vary')).toContain('Cookie')
    expect(reached).toEqual([])
  })

  it('is decided by WebCrypto in constant time, whichever character is wrong (A-337)', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify')
    for (const at of [0, 31, 63]) {
      verify.mockClear()
      const other = right[at] === '0' ? '1' : '0'
      const token = `${right.slice(0, at)}${other}${right.slice(at + 1)}`
      expect((await asked('postItem', { headers: headersWith(token) })).status).toBe(403)
      expect(verify.mock.calls.map(([algorithm]) => algorithm)).toEqual(['HMAC'])
      expect(await verify.mock.results[0]?.value).toBe(false)
    }
  })
})

describe('the real method', () => {
  const changing = Object.entries(routeMap).filter(([, { method }]) => method !== 'GET')

  it('is no GET where the browser’s is: nothing that changes something answers to it (A-338)', async () => {
    expect(changing.length).toBeGreaterThan(15)
    for (const [name] of changing) {
      for (const wire of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
        const answer = await asked(name, { wire, headers: headersWith(right) })
        expect([name, wire, answer.status]).toEqual([name, wire, 405])
      }
    }
    expect(reached).toEqual([])
  })

  it('counts for every operation that is no GET (A-338)', async () => {
    for (const [name] of changing) {
      const input = { params: { provider: 'a', roleId: '1', userId: '1' } }
      expect([name, (await asked(name, { input })).status]).toEqual([name, 403])
    }
  })

  it.each(['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-method'])(
    'is not changed by %s (A-338)',
    async (header) => {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const forged = [
          { headers: { [header]: method } },
          { input: { headers: { [header]: method }, query: { _method: method } } },
          { input: { body: { _method: method } } },
        ]
        for (const sent of forged) expect((await asked('postItem', sent)).status).toBe(403)
      }
      expect(reached).toEqual([])
    },
  )

  it('is not what makes a GET change something: an override does not get past it (A-338)', async () => {
    const input = { headers: { 'x-http-method-override': 'DELETE' } }
    expect((await asked('getItem', { input })).status).toBe(200)
    expect(reached).toEqual(['getItem'])
  })
})

describe('a token', () => {
  it('counts in the header, and neither in the input, the query nor the body (A-337)', async () => {
    const named = { 'x-svc-csrf': right, svc_csrf: right }
    for (const input of [{ headers: named }, { query: named }, { body: named }]) {
      expect((await asked('postItem', { input })).status).toBe(403)
    }
  })
})

describe('a form of another site', () => {
  it.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/csp-report',
    undefined,
  ])('cannot call by %s, in no mode', async (type) => {
    for (const mode of ['off', 'warn', 'enforce']) {
      const { POST } = proxyWith({ SVC_AUTH_CSRF: mode })
      const request = requestOf('postItem', { cookies, headers: headersWith(right) })
      request.headers.delete('content-type')
      if (type) request.headers.set('content-type', type)
      expect((await POST(request)).status).toBe(415)
    }
    expect(reached).toEqual([])
  })
})

describe('a request without a valid session cookie', () => {
  it('gets the API’s own 401, and no cookie (A-339)', async () => {
    const own = await (await fetch(`${api.url}/items`, { method: 'POST' })).json()
    for (const svc_session of [undefined, '', 'sealed.by.nobody']) {
      const answer = await asked('postItem', { cookies: { svc_session, svc_csrf: wrong } })
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ __type: own.__type, message: own.message })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  it.each([
    { authorization: 'Bearer a.b.c' },
    { authorization: 'Bearer machine-or-operations-token' },
    { 'x-svc-auth-profile': 'clientProofV1', 'x-svc-proof': 'a', 'x-svc-key-id': 'b' },
  ])('is not held by the check: %o (A-339)', async (headers) => {
    const answer = await asked('postItem', { cookies: {}, headers })
    expect([answer.status, reached]).toEqual([401, []])
  })

  it('calls the API without a token, with a key of their own (A-339)', async () => {
    expect((await api.call('listKeys', {}, user.key)).status).toBe(200)
    expect((await api.call('updateLocale', { locale: 'en' }, user.key)).status).toBe(200)
  })

  it('may be signed in by the cookie as well, and then the check holds (A-339)', async () => {
    const headers = { authorization: 'Bearer a.b.c', 'x-svc-auth-profile': 'clientProofV1' }
    expect((await asked('postItem', { headers })).status).toBe(403)
  })
})

describe('warn', () => {
  it.each([{}, headersWith(wrong), headersWith(right.toUpperCase()), headersWith('')])(
    'lets a call pass with one line, which holds no token: %o (A-340)',
    async (headers) => {
      const lines: string[] = []
      const methods = ['log', 'info', 'warn', 'error', 'debug'] as const
      for (const method of methods) {
        vi.spyOn(console, method).mockImplementation((...said) => lines.push(said.join(' ')))
      }
      const answer = await asked('postItem', { headers }, proxyWith({ SVC_AUTH_CSRF: 'warn' }))
      expect([answer.status, reached]).toEqual([200, ['postItem']])
      expect(lines).toEqual([
        'postItem has no valid x-svc-csrf header. It is allowed because the mode is warn; enforce would refuse it.',
      ])
    },
  )
})

describe('the session secret', () => {
  it.each(['warn', 'enforce', undefined])(
    'is needed for the proxy to be made at all: %s (A-343)',
    (mode) => {
      const source = { ...env, SVC_AUTH_CSRF: mode, SVC_AUTH_SESSION_SECRET: undefined }
      expect(() => authInterceptors({ env: source })).toThrow('SVC_AUTH_SESSION_SECRET is required')
    },
  )

  it.each(['warn', 'enforce'] as const)('is needed where the program says %s (A-343)', (mode) => {
    configureAuth({ csrf: { mode } })
    const source = { ...env, SVC_AUTH_CSRF: 'off', SVC_AUTH_SESSION_SECRET: undefined }
    expect(() => authInterceptors({ env: source })).toThrow('SVC_AUTH_SESSION_SECRET is required')
  })
})
