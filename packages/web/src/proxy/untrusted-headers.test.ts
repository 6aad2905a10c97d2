import { afterAll, expect, it } from 'vitest'
import { startTestWeb } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

const { router, routeMap, seen } = testOperations({ look: () => ({ body: {} }) })
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)

const planted = {
  authorization: 'Bearer planted',
  'proxy-authorization': 'planted',
  'x-svc-auth-profile': 'planted',
  'x-svc-client-id': 'planted',
  'x-svc-proof': 'planted',
  'x-svc-proxy-client-address': 'planted',
  'x-svc-proxy-signature': 'planted',
  'x-forwarded-for': 'planted',
  'x-forwarded-host': 'planted',
  'x-forwarded-proto': 'planted',
  'x-forwarded-prefix': 'planted',
  forwarded: 'for=planted',
  'x-real-ip': 'planted',
  'cf-connecting-ip': 'planted',
  'x-middleware-subrequest': 'planted',
  'x-middleware-rewrite': 'planted',
  'x-original-url': '/planted',
  'x-http-method-override': 'planted',
  'x-request-id': 'planted-0000',
}

it('nothing that a browser plants reaches the API, signed in or not', async () => {
  const page = web.browser()
  for (const signedIn of [false, true]) {
    if (signedIn) await page.call('login', await web.api.createUser())
    const cookie = `${page.cookieHeader()}; other=planted`
    seen.clear()
    expect((await page.call('look', {}, { ...planted, cookie })).status).toBe(200)
    const { headers = {} } = seen.get('look') ?? {}
    expect(headers).toHaveProperty('host')
    expect(JSON.stringify(headers)).not.toContain('planted')
    expect(headers).not.toHaveProperty('cookie')
    expect(Object.hasOwn(headers, 'authorization')).toBe(signedIn)
    expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([])
  }
})

it('but for the place in line that the API has given it', async () => {
  seen.clear()
  await web.browser().call('look', {}, { 'x-svc-place': 'a place' })
  expect(seen.get('look')?.headers).toMatchObject({ 'x-svc-place': 'a place' })
})

it('nor what it says of headers in its input', async () => {
  const page = web.browser()
  await page.call('login', await web.api.createUser())
  const headers = { ...planted, Cookie: 'planted', HOST: 'planted', 'Content-Length': '1' }
  const request = new Request('http://web.test/api/rpc/look', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: page.cookieHeader(),
      'x-svc-csrf': page.cookies.get('svc_csrf') ?? '',
    },
    body: JSON.stringify({ body: {}, headers }),
  })
  seen.clear()
  expect((await web.proxy.POST(request)).status).toBe(200)
  const given = seen.get('look')?.headers ?? {}
  expect(JSON.stringify(given)).not.toContain('planted')
  expect(given['authorization']).toMatch(/^Bearer ey/)
})

it('a planted header makes no user: the API refuses it, and the session stays whose it is', async () => {
  const someone = await web.api.signedInUser()
  const sign = web.api.signerOf(someone.key)
  const url = `${web.api.url}/_auth/session`
  const theirs = await sign({ method: 'GET', url, body: '' })
  expect((await web.browser().call('getAuthSession', undefined, theirs)).status).toBe(401)

  const user = await web.api.createUser()
  const page = web.browser()
  await page.call('login', user)
  const session = await (await page.call('getAuthSession', undefined, theirs)).json()
  expect(session).toMatchObject({ userId: user.userId })
})
