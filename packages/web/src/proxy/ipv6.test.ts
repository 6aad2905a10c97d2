import { clientAddress, defineRouter, route, routeMapOf } from '@svc/core'
import { withoutIPv6 } from '@svc/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestWeb, type TestWeb } from '../test-browser.ts'

const router = defineRouter({
  whereFrom: route.post('/where-from').handler((c) => ({ address: clientAddress(c.raw) })),
})
const guard = { SVC_PROXY_SECRET: 'p1:Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne' }

describe.skipIf(withoutIPv6)(`an API at an address of IPv6${withoutIPv6}`, () => {
  let web: TestWeb
  beforeAll(async () => {
    web = await startTestWeb({
      router,
      routeMap: routeMapOf(router),
      env: { ...guard, SVC_HOST: '::1', SVC_PROXY_GUARD: 'strict', SVC_RATE_LIMIT: 'on' },
      webEnv: { ...guard, SVC_TRUSTED_PROXY_HOPS: '1' },
    })
  })
  afterAll(() => web.api.stop())
  beforeEach(() => web.api.clock.set(new Date()))

  it('takes sign-ins and signed calls of pages, which name its address', async () => {
    expect(web.api.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    const user = await web.api.createUser()
    const page = web.browser()
    const from = { 'x-forwarded-for': '2001:db8:0:1::1' }
    expect((await page.call('login', user, from)).status).toBe(200)
    const answer = await page.call('getUserProfile', undefined, from)
    expect([answer.status, await answer.json()]).toMatchObject([200, { email: user.email }])
  })

  it.each([
    ['2001:db8:0:2::1', '2001:db8:0:2::1'],
    ['[2001:db8:0:2::1]:4711', '2001:db8:0:2::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
  ])('hears from the proxy where %s is', async (written, address) => {
    const page = web.browser()
    await page.call('login', await web.api.createUser(), { 'x-forwarded-for': '192.0.2.8' })
    const answer = await page.call('whereFrom', undefined, { 'x-forwarded-for': written })
    expect(await answer.json()).toEqual({ address })
  })

  it('counts a /64 of such browsers as one, and a mapped IPv4 address as that address', async () => {
    const statusFrom = async (address: string) => {
      const wrong = { email: `${address.replaceAll(/\W/g, '-')}@example.com`, password: 'not it' }
      return (await web.browser().call('login', wrong, { 'x-forwarded-for': address })).status
    }
    const exhaust = async (addressOf: (at: number) => string) => {
      for (let at = 1; at <= 200; at += 1) if ((await statusFrom(addressOf(at))) === 429) return at
      return Infinity
    }
    expect(await exhaust((at) => `[2001:db8:0:3::${at.toString(16)}]:${4000 + at}`)).toBeLessThan(
      200,
    )
    expect(await statusFrom('2001:db8:0:3:ffff::1')).toBe(429)
    expect(await statusFrom('2001:db8:0:4::1')).toBe(401)
    expect(await exhaust((at) => `192.0.2.7:${at}`)).toBeLessThan(200)
    expect(await statusFrom('::ffff:192.0.2.7')).toBe(429)
    expect(await statusFrom('192.0.2.9')).toBe(401)
  })
})
