import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RouteMap } from '../routes/route-map.ts'
import { createApi } from './create-api.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const routeMap = Object.fromEntries(
  methods.map((method) => [method, { method, path: '/items' }]),
) as RouteMap

type Calls = Record<string, { call: (input?: object) => Promise<unknown> }>

const token = '5e'.repeat(32)

afterEach(() => vi.unstubAllGlobals())

/** The header of one call, from a page that reads these cookies; without cookies, from no page. */
async function sent(cookie: string | undefined, to: object, name = 'POST', input = {}) {
  vi.stubGlobal('document', cookie === undefined ? undefined : { cookie })
  const headers: Headers[] = []
  const fetchOf: typeof fetch = async (_url, init) => {
    headers.push(new Headers(init?.headers))
    return Response.json({})
  }
  const api = createApi({ routeMap, fetch: fetchOf, ...to }) as unknown as Calls
  await api[name]?.call(input)
  expect(headers).toHaveLength(1)
  return headers[0]?.get('x-svc-csrf')
}

const proxy = { proxy: '/api/rpc' }

describe('the token in document.cookie', () => {
  it.each(methods)(
    'goes into the header of every call, of a %s operation too (A-336)',
    async (name) => {
      expect(await sent(`svc_csrf=${token}`, proxy, name)).toBe(token)
      expect(await sent(`svc_csrf=${token}`, proxy, name, { query: { a: 1 } })).toBe(token)
    },
  )

  it.each([
    `svc_csrf=${token}`,
    `a=1; svc_csrf=${token}`,
    `svc_csrf=${token}; b=2`,
    `xsvc_csrf=evil; svc_csrf2=evil; svc_csrf=${token}; SVC_CSRF=evil`,
    `a=svc_csrf=evil; svc_csrf=${token}`,
    `svc_csrf=; svc_csrf=${token}`,
    `svc_csrf=日本; svc_csrf=${token}`,
  ])('is found in "%s" (A-336)', async (cookie) => {
    expect(await sent(cookie, proxy)).toBe(token)
  })

  it.each([
    '',
    'a=1',
    'svc_csrf',
    'svc_csrf=',
    'xsvc_csrf=evil',
    'a=1; xsvc_csrf=evil',
    'svc_csrf2=evil',
    '__Host-svc_csrf=evil',
    'SVC_CSRF=evil',
    'a=svc_csrf=evil',
    'svc_csrf=日本',
    'svc_csrf=two words',
  ])('is not taken from "%s" (A-336)', async (cookie) => {
    expect(await sent(cookie, proxy)).toBeNull()
  })

  it('is what it is by the time of the call, and not in a program without pages (A-336)', async () => {
    expect(await sent(`svc_csrf=${token}`, proxy)).toBe(token)
    expect(await sent('svc_csrf=later', proxy)).toBe('later')
    expect(await sent(undefined, proxy)).toBeNull()
  })

  it.each(methods)('never goes to the API itself by %s (A-336)', async (name) => {
    expect(await sent(`svc_csrf=${token}`, { baseUrl: 'http://api.test' }, name)).toBeNull()
    expect(await sent(`svc_csrf=${token}`, {}, name)).toBeNull()
  })
})
