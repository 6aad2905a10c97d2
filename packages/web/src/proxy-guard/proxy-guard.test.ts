import { randomUUID } from 'node:crypto'
import { clientAddress, defineRouter, defineServer, route, routeMapOf } from '@svc/core'
import { startTestServer } from '@svc/core/testing'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { authInterceptors, createRpcProxy, type RpcProxyOptions } from '../proxy.ts'
import { startTestWeb } from '../test-browser.ts'

const SVC_PROXY_SECRET = 'p1:Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne'
const ada = '192.0.2.1'
const bob = '198.51.100.2'
const eve = '203.0.113.3'

const router = defineRouter({
  whereFrom: route.get('/where-from').handler((c) => ({ address: clientAddress(c.raw) })),
  headers: route.post('/headers').handler((c) => c.raw.incoming.headers),
})
const plain = await startTestServer(defineServer().routes(router), {
  env: { SVC_HOST: '127.0.0.1', SVC_PROXY_SECRET, SVC_PROXY_GUARD: 'strict' },
})
const signedIn = await startTestWeb({
  env: { SVC_HOST: '127.0.0.1', SVC_PROXY_SECRET, SVC_RATE_LIMIT: 'on' },
  webEnv: { SVC_PROXY_SECRET, SVC_TRUSTED_PROXY_HOPS: '1' },
})
const { api } = signedIn
afterAll(() => Promise.all([plain.stop(), api.stop()]))
// The proxy signs with the time of the machine.
beforeEach(() => [plain.clock, api.clock].forEach((clock) => clock.set(new Date())))

function proxied(env: Record<string, string>, options: Partial<RpcProxyOptions> = {}) {
  const given = { routeMap: routeMapOf(router), apiUrl: plain.url, env, ...options }
  const { GET, POST } = createRpcProxy(given)
  return (name: string, headers: Record<string, string> = {}, input: object = {}) => {
    const isPost = name === 'headers'
    const body = isPost ? { method: 'POST', body: JSON.stringify(input) } : {}
    const type = isPost ? { 'content-type': 'application/json' } : {}
    const request = new Request(`http://web.test/${name}`, {
      ...body,
      headers: { ...type, ...headers },
    })
    return isPost ? POST(request) : GET(request)
  }
}

const addressFrom = async (answer: Promise<Response>) => (await (await answer).json()).address

describe('the proxy', () => {
  it('vouches for what trusted proxies say, counted from the right', async () => {
    const spoofed = { 'x-forwarded-for': `6.6.6.6, ${ada}, 10.0.0.1` }
    for (const [hops, address] of [
      ['1', '10.0.0.1'],
      ['2', ada],
      ['4', '127.0.0.1'],
    ] as const) {
      const call = proxied({ SVC_PROXY_SECRET, SVC_TRUSTED_PROXY_HOPS: hops })
      expect(await addressFrom(call('whereFrom', spoofed))).toBe(address)
    }
  })

  it('vouches for no address where it trusts no proxy, and signs all the same', async () => {
    const call = proxied({ SVC_PROXY_SECRET })
    expect(await addressFrom(call('whereFrom', { 'x-forwarded-for': ada }))).toBe('127.0.0.1')
    const sent = await (await call('headers', { 'x-forwarded-for': ada })).json()
    expect(sent).toHaveProperty('x-svc-proxy-signature')
    expect(sent).not.toHaveProperty('x-svc-proxy-address')
  })

  it('vouches for what its host says of the socket', async () => {
    const options = {
      clientAddress: (request: Request) => request.headers.get('x-test') ?? undefined,
    }
    const call = proxied({ SVC_PROXY_SECRET, SVC_TRUSTED_PROXY_HOPS: '1' }, options)
    const both = { 'x-test': ada, 'x-forwarded-for': bob }
    expect(await addressFrom(call('whereFrom', both))).toBe(ada)
    expect(await addressFrom(call('whereFrom', { 'x-forwarded-for': bob }))).toBe(bob)
  })

  it('passes on no header of a browser that is for it to send, however it is named', async () => {
    const names = ['key', 'timestamp', 'nonce', 'address', 'body', 'signature']
    const forged = Object.fromEntries(names.map((name) => [`x-svc-proxy-${name}`, ada]))
    const spoofed = { ...forged, 'x-forwarded-for': bob }
    const unknown = proxied({ SVC_PROXY_SECRET })
    expect(await addressFrom(unknown('whereFrom', spoofed))).toBe('127.0.0.1')
    const sent = await (await unknown('headers', spoofed, { headers: spoofed })).json()
    expect(sent).toHaveProperty('x-svc-proxy-signature')
    expect(sent).not.toHaveProperty('x-svc-proxy-address')
    expect(sent).not.toHaveProperty('x-forwarded-for')

    const known = proxied({ SVC_PROXY_SECRET, SVC_TRUSTED_PROXY_HOPS: '1' })
    const vouched = await (await known('headers', spoofed, { headers: spoofed })).json()
    expect(vouched['x-svc-proxy-address']).toBe(bob)
  })

  it('signs nothing without a secret, which a strict API refuses', async () => {
    const answer = await proxied({ SVC_TRUSTED_PROXY_HOPS: '1' })('whereFrom')
    expect([answer.status, (await answer.json()).error.code]).toEqual([403, 'ForbiddenError'])
  })

  it('signs with the first secret', async () => {
    const env = { SVC_PROXY_SECRET: `p2:${'x'.repeat(32)},${SVC_PROXY_SECRET}` }
    expect((await proxied(env)('whereFrom')).status).toBe(403)
    const [id, secret] = SVC_PROXY_SECRET.split(':')
    const rotated = { SVC_PROXY_SECRET: `${id}:${secret},p2:${'x'.repeat(32)}` }
    expect((await proxied(rotated)('whereFrom')).status).toBe(200)
  })

  it.each(['short', `p1:${'x'.repeat(31)}`, `${SVC_PROXY_SECRET},`])(
    'does not start with the secret %j',
    (secret) => {
      const env = { SVC_PROXY_SECRET: secret, SVC_AUTH_SESSION_SECRET: '' }
      expect(() => proxied(env)).toThrow('SVC_PROXY_SECRET must be a list')
      expect(() => authInterceptors({ env })).toThrow('SVC_PROXY_SECRET must be a list')
    },
  )
})

describe('browsers behind one proxy', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const guess = (headers: Record<string, string>) =>
    signedIn
      .browser()
      .call('login', { email: `${randomUUID()}@example.com`, password: 'wrong' }, headers)

  it('share no limit, and none escapes its own by what it writes', async () => {
    for (let at = 0; at < 100; at += 1) expect((await guess(from(ada))).status).toBe(401)
    expect((await guess(from(ada))).status).toBe(429)
    const spoofed = { ...from(`6.6.6.6, ${ada}`), 'x-svc-proxy-address': '6.6.6.6' }
    expect((await guess(spoofed)).status).toBe(429)
    expect((await guess(from(bob))).status).toBe(401)
  })

  it('register keys with their own address', async () => {
    const user = await api.createUser()
    const page = signedIn.browser()
    const spoofed = { ...from(`6.6.6.6, ${bob}`), 'x-svc-proxy-address': '6.6.6.6' }
    expect((await page.call('login', user, spoofed)).status).toBe(200)
    const { keys } = await (await page.call('listKeys', {}, from(bob))).json()
    expect(keys.map(({ registeredIp }: { registeredIp: string }) => registeredIp)).toEqual([bob])
  })

  it('with one key at two addresses are seen as concurrent use (A-038, A-040)', async () => {
    const user = await api.createUser()
    const page = signedIn.browser()
    await page.call('login', user, from(eve))
    const listed = async () => {
      await api.auth.keyUse.flush()
      const answer = await page.call('listKeys', {}, from(eve))
      return (await answer.json()).keys[0]
    }
    await page.call('getAuthSession', undefined, from(eve))
    expect(await listed()).not.toHaveProperty('concurrentUseAtMillis')

    await page.call('getAuthSession', undefined, from(bob))
    expect((await listed()).concurrentUseAtMillis).toBe(api.clock.now().getTime())
  })
})
