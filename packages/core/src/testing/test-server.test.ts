import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { route } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineEnv, required } from '../env/env.ts'
import { defineRouter } from '../routes/router.ts'
import { createSigningKey } from './signed-fetch.ts'
import { startTestServer } from './test-server.ts'
import { createVirtualClock } from './virtual-clock.ts'

const router = defineRouter({
  now: route.get('/now').handler((c) => c.clock.now()),
  token: route.post('/token').handler((c) => c.raw.req.header('authorization')),
  database: route.get('/database').handler(async (c) => {
    const { rows } = await c.db.execute('select current_database() as name')
    return rows[0]?.name
  }),
})
const server = await startTestServer(defineServer().routes(router), { database: true })
afterAll(server.stop)
const api = server.api<typeof router>()

describe('startTestServer', () => {
  it('has a clock that a test moves', async () => {
    const before = server.clock.now()
    expect(await api.now.call()).toBe(before.toISOString())
    server.clock.advance('90d')
    expect(await api.now.call()).toBe(new Date(before.getTime() + 90 * 86_400_000).toISOString())
  })

  it('has a database of its own', async () => {
    const other = await startTestServer(defineServer().routes(router), { database: true })
    const names = [await api.database.call(), await other.api<typeof router>().database.call()]
    await other.stop()

    expect(new Set(names).size).toBe(2)
  })

  it('signs the requests of a device’s key', async () => {
    const key = await createSigningKey('device-1234')
    const answer = await server.signedFetch(key)('/token', { method: 'POST', body: 'text' })
    const [, payload] = ((await answer.json()) as string).replace('Bearer ', '').split('.')
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())

    expect(claims).toMatchObject({
      keyId: 'device-1234',
      htm: 'POST',
      htu: '/token',
      aud: server.url,
    })
  })

  it('signs by its clock, and takes an address in the place of a path', async () => {
    server.clock.advance('2h')
    const sign = server.signedFetch(await createSigningKey())
    const answer = await sign(new URL('/token', server.url), { method: 'POST' })
    const [, payload] = ((await answer.json()) as string).replace('Bearer ', '').split('.')
    const { iat } = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())

    expect(Math.abs(iat * 1000 - server.clock.now().getTime())).toBeLessThan(2000)
  })
})

describe('the variables of a test', () => {
  const shopEnv = defineEnv({ SHOP_CURRENCY: required })
  const shop = defineServer()
    .env(shopEnv)
    .routes(defineRouter({ currency: route.get('/').handler((c) => c.env(shopEnv).SHOP_CURRENCY) }))

  async function enterFolder(files: Record<string, string>) {
    const [here, folder] = [process.cwd(), await mkdtemp(join(tmpdir(), 'svc-variables-'))]
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    process.chdir(folder)
    onTestFinished(async () => {
      process.chdir(here)
      await rm(folder, { recursive: true })
    })
  }
  async function currencyIn(env?: Record<string, string>) {
    const app = await startTestServer(shop, env && { env })
    onTestFinished(app.stop)
    return (await app.fetch('/')).json()
  }

  it('are those of .env.test, unless the test gives another value', async () => {
    await enterFolder({ '.env.test': 'SHOP_CURRENCY=EUR\nNODE_ENV=production\n' })
    expect(await currencyIn()).toBe('EUR')
    expect(await currencyIn({ SHOP_CURRENCY: 'USD' })).toBe('USD')
  })

  it('are not those of .env, and an error names the one that is missing and its place', async () => {
    await enterFolder({ '.env': 'SHOP_CURRENCY=EUR\n' })
    await expect(startTestServer(shop)).rejects.toThrow(
      `The environment has problems:
  SHOP_CURRENCY is required
Tests do not read .env. Put SHOP_CURRENCY into .env.test, in the folder where you run the tests, or into "env" of startTestServer or startTestAuth.`,
    )
  })

  it('are not the answer for a server with sign-in: an error leads to startTestAuth', async () => {
    const signIn = defineServer().env(defineEnv({ SVC_AUTH_VERIFICATION_TOKEN_SECRET: required }))
    await expect(startTestServer(signIn)).rejects.toThrow(
      `The environment has problems:
  SVC_AUTH_VERIFICATION_TOKEN_SECRET is required
This server has sign-in. Start it with startTestAuth({ definition }) of @svc/auth/testing`,
    )
  })
})

describe('createVirtualClock', () => {
  it('refuses what is no duration', () => {
    expect(() => createVirtualClock().advance('a while')).toThrow('"a while" is not a duration')
  })
})
