import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { TestServer } from '../testing/test-server.ts'
import { browser, get, older, post, secret, signed, useGuardedServers } from './test-guarded.ts'

const start = useGuardedServers()
const tagging = await start()
const strict = await start({ SVC_PROXY_GUARD: 'strict' })

/** What both modes make of a request that is not to be believed. */
async function expectRefused(make: (at: TestServer) => Promise<Response>) {
  const tagged = await make(tagging)
  expect(tagged.status).toBe(200)
  expect(await tagged.json()).toBe('127.0.0.1')
  const refused = await make(strict)
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ error: { code: 'ForbiddenError' } })
}

describe('what is not the web proxy’s', () => {
  it('is a request without its headers, even if other headers name an address', () =>
    expectRefused((at) => get(at, { 'x-forwarded-for': browser, 'x-svc-proxy-address': browser })))

  it.each(['key', 'timestamp', 'nonce', 'body', 'signature', 'address'])(
    'is one that lacks x-svc-proxy-%s',
    (name) =>
      expectRefused(async (at) => {
        const { [`x-svc-proxy-${name}`]: _, ...rest } = await signed({ at })
        return get(at, rest)
      }),
  )

  it.each(['key', 'timestamp', 'nonce', 'body', 'signature', 'address'])(
    'is one with two values of x-svc-proxy-%s',
    (name) =>
      expectRefused(async (at) => {
        const headers = await signed({ at })
        const value = headers[`x-svc-proxy-${name}`] ?? ''
        return sentTwice(at, headers, [`x-svc-proxy-${name}`, value])
      }),
  )

  it('is one with a key id that is not known, or with another secret', async () => {
    await expectRefused(async (at) =>
      get(at, await signed({ at, key: { keyId: 'other', secret } })),
    )
    await expectRefused(async (at) =>
      get(at, await signed({ at, key: { keyId: 'new', secret: older } })),
    )
    await expectRefused(async (at) =>
      get(at, { ...(await signed({ at })), 'x-svc-proxy-key': 'old' }),
    )
  })

  it('is one whose signature is altered in a bit, or spelled otherwise', async () => {
    const name = 'x-svc-proxy-signature'
    for (const alter of [
      (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1),
      (text: string) => `${text}=`,
      (text: string) => text.slice(0, -1),
      // The last character has two bits that no byte has.
      (text: string) => text.slice(0, -1) + String.fromCharCode(text.charCodeAt(42) + 1),
      () => '',
    ]) {
      await expectRefused(async (at) => {
        const headers = await signed({ at })
        return get(at, { ...headers, [name]: alter(headers[name] ?? '') })
      })
    }
  })

  it.each([
    ['timestamp', (text: string) => String(Number(text) - 1)],
    ['nonce', () => 'AAAAAAAAAAAAAAAAAAAAAA'],
    ['address', () => '198.51.100.1'],
  ])('is one whose %s is another than was signed', (name, alter) =>
    expectRefused(async (at) => {
      const headers = await signed({ at })
      const key = `x-svc-proxy-${name}`
      return get(at, { ...headers, [key]: alter(headers[key] ?? '') })
    }),
  )

  it('is one whose method, path or query is another than was signed', async () => {
    await expectRefused(async (at) => get(at, await signed({ at, method: 'POST' })))
    await expectRefused(async (at) => get(at, await signed({ at, path: '/from/' })))
    await expectRefused(async (at) => get(at, await signed({ at, path: '/from?a=1' })))
    await expectRefused(async (at) => get(at, await signed({ at, path: '/from?' })))
  })

  it('is one with another body than was signed, or with another hash for it', async () => {
    const headers = await signed({ at: tagging, method: 'POST', body: 'a' })
    expect(await post(tagging, headers, 'b')).toEqual({ from: '127.0.0.1', body: 'b' })
    const other = await signed({ at: tagging, method: 'POST', body: 'b' })
    const hash = { 'x-svc-proxy-body': other['x-svc-proxy-body'] ?? '' }
    expect(await post(tagging, { ...headers, ...hash }, 'b')).toMatchObject({ from: '127.0.0.1' })
    const atStrict = await signed({ at: strict, method: 'POST', body: 'a' })
    expect(await post(strict, atStrict, 'b')).toMatchObject({ error: { code: 'ForbiddenError' } })
  })

  it('is one that is more than half a minute old, or early', async () => {
    for (const offset of [-30_001, 30_001]) {
      await expectRefused(async (at) =>
        get(at, await signed({ at, nowMillis: at.clock.now().getTime() + offset })),
      )
    }
  })

  it('is one that was there before, until it is too old', () =>
    expectRefused(async (at) => {
      const nowMillis = at.clock.now().getTime() + 30_000
      const headers = await signed({ at, nowMillis })
      expect(await (await get(at, headers)).json()).toBe(browser)
      at.clock.advance(60_000)
      return get(at, headers)
    }))

  it('is the loser of two that are one', async () => {
    const headers = await signed({ at: tagging, method: 'POST', body: 'a' })
    const both = await Promise.all(Array.from({ length: 16 }, () => post(tagging, headers, 'a')))
    expect(both.filter(({ from }) => from === browser)).toHaveLength(1)
  })

  it.each(['999.1.1.1', '203.0.113.9:443', '::::', 'abc', '1.2.3'])(
    'is the address %s, though the proxy has signed it',
    async (address) => {
      const headers = await signed({ at: tagging, address })
      expect(headers['x-svc-proxy-address']).toBe(address)
      expect(await (await get(tagging, headers)).json()).toBe('127.0.0.1')
    },
  )

  it.each(['unknown', 'fe80::1%eth0', '1.2.3.4, 5.6.7.8', 'a\nb', 'x'.repeat(100)])(
    'is never signed: the address %j',
    async (address) => {
      expect(await signed({ at: tagging, address })).not.toHaveProperty('x-svc-proxy-address')
    },
  )

  it('spends no nonce', async () => {
    const headers = await signed({ at: tagging, method: 'POST', body: 'a' })
    expect(await post(tagging, headers, 'b')).toMatchObject({ from: '127.0.0.1' })
    expect(await post(tagging, headers, 'a')).toMatchObject({ from: browser })
  })
})

/** As fetch cannot: one header on two lines. */
function sentTwice(at: TestServer, headers: Record<string, string>, again: [string, string]) {
  const lines = [...Object.entries(headers), again].flat()
  return new Promise<Response>((resolve, reject) => {
    const sent = httpRequest(`${at.url}/from`, {
      headers: ['host', new URL(at.url).host, ...lines],
    })
    sent.on('error', reject).on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0 }))
      })
    })
    sent.end()
  })
}
