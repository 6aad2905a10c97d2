import { oneTimeTokenAuth } from '@svc/auth/server'
import { defineRouter, route, routeMapOf, t, UnauthorizedError } from '@svc/core'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { leaveNode, startTestWeb } from '../test-browser.ts'

const refuse = () => {
  throw new UnauthorizedError({ message: 'Not with this code.' })
}
const router = defineRouter({
  download: route
    .get('/download')
    .use([oneTimeTokenAuth])
    .input({ query: t.Object({ token: t.String() }) })
    .handler(() => ({})),
  unlock: route.get('/unlock').errors(UnauthorizedError).handler(refuse),
})
beforeEach(leaveNode)
const web = await startTestWeb({ router, routeMap: routeMapOf(router) })
afterAll(web.api.stop)
afterEach(() => vi.restoreAllMocks())

const user = await web.api.createUser()
const page = web.browser()
await page.call('login', user)

/** A browser sends `SameSite=Lax` cookies along when the user follows a link of another site. */
const follow = (name: string, input = {}) => {
  const url = `http://web.test/api/rpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`
  return web.proxy.GET(new Request(url, { headers: { cookie: page.cookieHeader() } }))
}

const addressOf = (request: RequestInfo | URL) =>
  request instanceof Request ? request.url : String(request)

it.each(['download', 'unlock'])(
  'a link of another site to %s, which refuses on its own account, does not sign the user out',
  async (name) => {
    const answer = await follow(name, { query: { token: 'planted' } })
    expect(await answer.json()).toMatchObject({ __type: 'UnauthorizedError' })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    expect((await follow('getAuthSession')).status).toBe(200)
  },
)

it('it still ends the session of a key that was revoked', async () => {
  const { keyId } = await (await follow('getAuthSession')).json()
  await web.api.call('revokeKey', { keyId }, await web.api.signIn(user))
  const answer = await follow('unlock')
  expect(answer.status).toBe(401)
  expect(answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])).toEqual([
    'svc_session=',
    'svc_csrf=',
  ])
})

it('nor does the API’s being down, once an operation has refused', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const send = fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((request, init) =>
    addressOf(request).endsWith('/session')
      ? Promise.reject(new Error('down'))
      : send(request, init),
  )
  await page.call('login', user)
  const answer = await follow('unlock')
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
})

it('nor a user who signs in again while the API is asked about the key before', async () => {
  await page.call('login', user)
  const { keyId } = await (await follow('getAuthSession')).json()
  await web.api.call('revokeKey', { keyId }, await web.api.signIn(user))
  const send = fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (request, init) => {
    const answer = await send(request, init)
    if (addressOf(request).endsWith('/session')) {
      vi.restoreAllMocks()
      expect((await page.call('login', user)).status).toBe(200)
    }
    return answer
  })
  const answer = await follow('unlock')
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
})
