import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clientAddress, defineRouter, route, routeMapOf } from '@svc/core'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRevokeAllPage, createServerApi, getSession } from '../next.ts'
import { startTestWeb } from '../test-browser.ts'

const browser = '192.0.2.1'
const request = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => request.headers }))

const guard = { SVC_PROXY_SECRET: 'p1:Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne' }
const router = defineRouter({
  whereFrom: route.get('/where-from').handler((c) => ({ address: clientAddress(c.raw) })),
})
const routeMap = routeMapOf(router)
const web = await startTestWeb({
  router,
  routeMap,
  env: { ...guard, SVC_PROXY_GUARD: 'strict' },
  webEnv: { ...guard, SVC_TRUSTED_PROXY_HOPS: '1' },
})
afterAll(web.api.stop)

beforeEach(() => {
  // Both sign with the time of the machine.
  web.api.clock.set(new Date())
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

describe('what a web app asks of a strict API for its pages', () => {
  it('is signed, as the visitor of the page and from their address', async () => {
    const user = await web.api.createUser()
    const page = web.browser()
    await page.call('login', user)
    request.headers = new Headers({ cookie: page.cookieHeader(), 'x-forwarded-for': browser })
    expect(await getSession()).toMatchObject({ email: user.email })
    const api = createServerApi<typeof router>({ routeMap })
    expect(await api().whereFrom.call()).toEqual({ address: browser })
  })

  it('is signed where no user is signed in', async () => {
    const asked: IncomingHttpHeaders[] = []
    const api = createServer((incoming, outgoing) => {
      asked.push(incoming.headers)
      outgoing.statusCode = 404
      outgoing.end(JSON.stringify({ __type: 'RevokeAllLinkError', message: 'Gone.' }))
    })
    await new Promise<void>((resolve) => api.listen(0, resolve))
    const SVC_API_URL = `http://localhost:${(api.address() as AddressInfo).port}`
    const { GET } = createRevokeAllPage({ env: { ...web.env, SVC_API_URL } })
    const headers = { 'x-forwarded-for': browser }
    const answer = await GET(new Request('http://web.test/page?token=t', { headers }))
    expect(answer.status).toBe(404)
    api.closeAllConnections()
    api.close()
    expect(asked).toMatchObject([
      { 'x-svc-proxy-signature': expect.any(String), 'x-svc-proxy-address': browser },
    ])
  })
})
