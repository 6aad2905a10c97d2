import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withoutIPv6 } from '@svc/core/testing'
import { NextRequest } from 'next/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'

/** What pages of an app may connect to whose API is there, in a build that has this address in it. */
async function policyWith(publicApiUrl: string) {
  vi.stubEnv('NEXT_PUBLIC_SVC_API_URL', publicApiUrl)
  vi.resetModules()
  const { proxy } = await import('../proxy.ts')
  vi.unstubAllEnvs()
  const { headers } = proxy(new NextRequest('http://app.invalid/'))
  return headers.get('content-security-policy') ?? ''
}

const connectIn = (policy: string) => /connect-src [^;]*/.exec(policy)?.[0]

async function listen(answer: RequestListener) {
  const server: Server = createServer(answer).listen(0, '::1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://[::1]:${(server.address() as AddressInfo).port}`
}

describe('the policy of pages', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com wss://api.example.com'],
    ['http://127.0.0.1:8790/path', 'http://127.0.0.1:8790 ws://127.0.0.1:8790'],
    // Browsers ignore an address of IPv6 there.
    ['http://[::1]:8790', 'http://*:8790 ws://*:8790'],
  ])('lets them connect to the API at %s', async (url, sources) => {
    expect(connectIn(await policyWith(url))).toBe(`connect-src 'self' ${sources}`)
  })

  it.skipIf(withoutIPv6)(
    `lets a browser call an API at an address of IPv6, and none at another port${withoutIPv6}`,
    async () => {
      const answer: RequestListener = (_, response) =>
        response.setHeader('access-control-allow-origin', '*').end('here')
      const [api, other] = [await listen(answer), await listen(answer)]
      const policy = await policyWith(api)
      const app = await listen((_, response) => {
        response.setHeader('content-security-policy', policy).end('a page')
      })
      const { browser, stop } = await launchBrowser()
      onTestFinished(stop)
      const page = await browser.newPage()
      await page.goto(app)
      const call = (url: string) => page.evaluate(async (to) => (await fetch(to)).text(), url)
      expect(await call(api)).toBe('here')
      await expect(call(other)).rejects.toThrow('Failed to fetch')
    },
    30_000,
  )
})
