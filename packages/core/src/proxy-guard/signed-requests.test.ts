import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { browser, get, older, post, secret, signed, useGuardedServers } from './test-guarded.ts'

const start = useGuardedServers()
const tagging = await start()
const strict = await start({ SVC_PROXY_GUARD: 'strict' })

describe('a request that the web proxy has signed', () => {
  it.each([tagging, strict])('comes from the address that it vouches for', async (at) => {
    const answer = await get(at, await signed({ at }))
    expect(await answer.json()).toBe(browser)
  })

  it('keeps its body', async () => {
    const headers = await signed({ at: tagging, method: 'POST', body: '{"note":"é"}' })
    expect(await post(tagging, headers, '{"note":"é"}')).toEqual({
      from: browser,
      body: '{"note":"é"}',
    })
  })

  it('may have a query, and an empty one', async () => {
    for (const path of ['/from?a=%20b&c', '/from?']) {
      const sent = await get(tagging, await signed({ at: tagging, path }), path)
      // fetch keeps the `?` too, so both sides read the same line.
      expect(await sent.json()).toBe(browser)
    }
  })

  it('is verified with every secret of the list', async () => {
    const headers = await signed({ at: tagging, key: { keyId: 'old', secret: older } })
    expect(await (await get(tagging, headers)).json()).toBe(browser)
  })

  it('that names no address passes, and comes from the socket’s', async () => {
    for (const at of [tagging, strict]) {
      const headers = await signed({ at, address: '' })
      expect(headers).not.toHaveProperty('x-svc-proxy-address')
      expect(await (await get(at, headers)).json()).toBe('127.0.0.1')
    }
  })

  it('may vouch for IPv6, and for IPv4 as a dual-stack socket writes it', async () => {
    expect(
      await (await get(tagging, await signed({ at: tagging, address: '2001:db8::7' }))).json(),
    ).toBe('2001:db8::7')
    const mapped = await signed({ at: tagging, address: '::ffff:192.0.2.1' })
    expect(await (await get(tagging, mapped)).json()).toBe('192.0.2.1')
  })

  it('wins over what other proxies say', async () => {
    const at = await start({ SVC_TRUSTED_PROXY_HOPS: '1' })
    const forwarded = { 'x-forwarded-for': '198.51.100.1' }
    expect(await (await get(at, forwarded)).json()).toBe('198.51.100.1')
    expect(await (await get(at, { ...forwarded, ...(await signed({ at })) })).json()).toBe(browser)
  })

  it('has no larger body than others', async () => {
    const body = 'x'.repeat(1001)
    const headers = await signed({ at: tagging, method: 'POST', body })
    expect(await post(tagging, headers, body)).toMatchObject({
      error: { code: 'PayloadTooLargeError' },
    })
  })

  it('counts for half a minute before and after its moment', async () => {
    for (const at of [tagging, strict]) {
      for (const offset of [-30_000, 30_000]) {
        const nowMillis = at.clock.now().getTime() + offset
        expect(await (await get(at, await signed({ at, nowMillis }))).json()).toBe(browser)
      }
    }
  })
})

describe('the signature', () => {
  it('is an HMAC over lines that a program in any language can write', async () => {
    const headers = await signed({
      at: tagging,
      method: 'POST',
      path: '/from?a=1',
      body: 'a',
      nowMillis: 1.7e12,
    })
    const text = [
      'svc-proxy-1',
      'POST',
      '/from?a=1',
      '1700000000000',
      headers['x-svc-proxy-nonce'],
      'ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs',
      browser,
    ].join('\n')
    const expected = createHmac('sha256', secret).update(text).digest('base64url')
    expect(headers['x-svc-proxy-signature']).toBe(expected)
  })
})
