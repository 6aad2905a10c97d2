import { createHash, verify } from 'node:crypto'
import { defineRouter, defineServer, route } from '@svc/core'
import { startTestServer } from '@svc/core/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'
import { serveModules } from '../../../../scripts/browser/serve-modules.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { readPublicKey } from '../crypto/crypto.ts'

// The page's globals, for the functions that run in it.
declare const deviceKeys: typeof import('./device-key.ts')
declare const client: typeof import('@svc/core/client')

const source = await serveModules({
  deviceKeys: 'packages/auth/src/device-key/device-key.ts',
  client: 'packages/core/src/client.ts',
})

/** Answers with what it received: the token, and the body's bytes. */
const received = route.post('/received').handler(async ({ raw }) => {
  const body = Buffer.concat(await raw.incoming.toArray())
  return { authorization: raw.req.header('authorization') ?? '', body: body.toString('hex') }
})
const definition = defineServer().routes(defineRouter({ received })).origins(source.url)
const api = await startTestServer(definition)
const { browser, stop } = await launchBrowser()
afterAll(() => Promise.all([stop(), source.stop(), api.stop()]))

let context: BrowserContext
let page: Page
beforeEach(async () => {
  context = await browser.newContext()
  page = await newTab()
})
afterEach(() => context.close())

async function newTab() {
  const tab = await context.newPage()
  await tab.goto(source.url)
  return tab
}

const create = (tab: Page, algorithm: 'ES256' | 'RS256' = 'ES256') =>
  tab.evaluate(async (given) => {
    const key = await deviceKeys.createDeviceKey({ algorithm: given })
    return key.registration
  }, algorithm)

const kept = (tab: Page) =>
  tab.evaluate(async () => (await deviceKeys.openDeviceKey())?.registration ?? null)

const algorithms = ['ES256', 'RS256'] as const

describe('createDeviceKey', () => {
  it.each(algorithms)('registers as a server takes it: %s (A-017, A-023)', async (algorithm) => {
    const registration: NewDeviceKey = await create(page, algorithm)

    expect(Object.keys(registration).toSorted()).toEqual([
      'algorithm',
      'fingerprint',
      'keyId',
      'publicKey',
    ])
    expect(readPublicKey(registration)).toMatchObject({ algorithm })
    expect(registration.keyId).toMatch(/^[A-Za-z0-9._-]{8,64}$/)
  })

  it.each(algorithms)('does not let the private key be exported: %s', async (algorithm) => {
    const told = await page.evaluate(async (given) => {
      const { privateKey } = await deviceKeys.createDeviceKey({ algorithm: given })
      const formats = ['pkcs8', 'jwk'] as const
      const outcomes = formats.map((format) =>
        crypto.subtle.exportKey(format, privateKey).then(
          () => 'read out',
          (error: Error) => error.name,
        ),
      )
      return { extractable: privateKey.extractable, outcomes: await Promise.all(outcomes) }
    }, algorithm)

    expect(told).toEqual({
      extractable: false,
      outcomes: ['InvalidAccessError', 'InvalidAccessError'],
    })
  })

  it('makes another key each time', async () => {
    const first = await create(page)
    const second = await create(page)

    expect(second.keyId).not.toBe(first.keyId)
    expect(second.publicKey).not.toBe(first.publicKey)
    expect(await kept(page)).toEqual(second)
  })

  it.each([false, true])('gives racing tabs one new key (one was there: %s)', async (wasThere) => {
    const old = wasThere ? await create(page) : null
    const tabs = [page, await newTab(), await newTab()]
    await holdBack(tabs)
    const keys = await Promise.all(tabs.map((tab) => create(tab)))

    expect(keys[0]?.keyId).not.toBe(old?.keyId)
    for (const key of keys) expect(key).toEqual(keys[0])
    expect(await kept(page)).toEqual(keys[0])
  })

  it('says what a page that came over plain http lacks', async () => {
    await page.route('http://plain.example/**', async (intercepted) => {
      const { pathname } = new URL(intercepted.request().url())
      await intercepted.fulfill({
        response: await intercepted.fetch({ url: `${source.url}${pathname}` }),
      })
    })
    await page.goto('http://plain.example/')

    await expect(create(page)).rejects.toThrow('DeviceKeyError')
    await expect(create(page)).rejects.toThrow('open the page over https or on localhost')
  })

  it('says so where the browser keeps nothing', async () => {
    await page.evaluate(() => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }))

    await expect(create(page)).rejects.toThrow('gives the page no IndexedDB')
  })
})

/** Lets tabs make their keys only once all of them have looked at what is kept. */
async function holdBack(tabs: Page[]) {
  const all = Promise.withResolvers<void>()
  let waiting = 0
  await context.exposeFunction('everybody', () => {
    waiting += 1
    if (waiting === tabs.length) all.resolve()
    return all.promise
  })
  const hold = () => {
    const generateKey = crypto.subtle.generateKey.bind(crypto.subtle)
    const { everybody } = globalThis as unknown as { everybody: () => Promise<void> }
    crypto.subtle.generateKey = (async (...args: Parameters<typeof generateKey>) => {
      await everybody()
      return generateKey(...args)
    }) as typeof generateKey
  }
  await Promise.all(tabs.map((tab) => tab.evaluate(hold)))
}

describe('openDeviceKey', () => {
  it('finds no key where none was created', async () => {
    expect(await kept(page)).toBeNull()
  })

  it('finds after a reload what was created, under its name', async () => {
    const created = await create(page)
    await page.reload()

    expect(await kept(page)).toEqual(created)
    expect(await kept(await newTab())).toEqual(created)
    expect(await page.evaluate(() => deviceKeys.openDeviceKey({ name: 'other' }))).toBeNull()
  })
})

describe('a request from a browser', () => {
  it.each(algorithms)(
    'is signed with the kept key, which the server verifies: %s (A-018)',
    async (algorithm) => {
      const { publicKey, keyId } = await create(page, algorithm)
      await page.reload()
      const { authorization, body } = await page.evaluate(sendSigned, `${api.url}/received?a=%20`)

      const [head = '', payload = '', signature = ''] = authorization
        .replace('Bearer ', '')
        .split('.')
      const key = {
        key: Buffer.from(publicKey, 'base64'),
        format: 'der' as const,
        type: 'spki' as const,
        ...(algorithm === 'ES256' && { dsaEncoding: 'ieee-p1363' as const }),
      }
      const signed = Buffer.from(`${head}.${payload}`)
      expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
      expect(body).toBe('00ffc328')
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
        keyId,
        aud: api.url,
        htm: 'POST',
        htu: '/received?a=%20',
        bh: createHash('sha256').update(Buffer.from(body, 'hex')).digest('base64url'),
      })
    },
  )

  it('can be signed with the server’s time', async () => {
    api.clock.advance('1h')
    const offsetMillis = await page.evaluate(async (baseUrl) => {
      const clock = client.createServerClock({ baseUrl })
      await clock.sync()
      return clock.offsetMillis
    }, api.url)

    expect(offsetMillis).toBeGreaterThan(3_500_000)
  })
})

async function sendSigned(url: string) {
  const key = await deviceKeys.openDeviceKey()
  if (key === null) throw new Error('There is no key.')
  const body = new Uint8Array([0, 0xff, 0xc3, 0x28])
  const headers = await client.signRequest(key, { method: 'POST', url, body })
  const answer = await fetch(url, { method: 'POST', headers, body })
  return (await answer.json()) as { authorization: string; body: string }
}

describe('deleteDeviceKey', () => {
  it('forgets the key', async () => {
    await create(page)
    await page.evaluate(() => deviceKeys.deleteDeviceKey())

    expect(await kept(page)).toBeNull()
  })

  it('spares a key that another tab has made since', async () => {
    const old = await create(page)
    const fresh = await create(await newTab())

    await page.evaluate((keyId) => deviceKeys.deleteDeviceKey({ keyId }), old.keyId)
    expect(await kept(page)).toEqual(fresh)
    await page.evaluate((keyId) => deviceKeys.deleteDeviceKey({ keyId }), fresh.keyId)
    expect(await kept(page)).toBeNull()
  })
})
