import { afterAll, describe, expect, it, vi } from 'vitest'
import { route } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import type { Lifecycle } from '../definition/lifecycle.ts'
import { defineJob, defineJobRouter } from '../jobs/jobs.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineRouter } from '../routes/router.ts'
import { startServer } from '../server/start-server.ts'
import { startTestServer } from '../testing/test-server.ts'
import { defineEnv, integer, required } from './env.ts'

const shopEnv = defineEnv({ SHOP_KEY: required, SHOP_RETRIES: integer({ initial: 3 }) })
const postEnv = defineEnv({ POST_URL: required })

const header = defineMiddleware('header', async (c, next) => {
  await next()
  c.header('x-retries', `${c.server.env(shopEnv).SHOP_RETRIES}`)
})
const show = route
  .get('/show')
  .use([header])
  .handler((c) => ({ ...c.env(shopEnv), ...c.env(postEnv) }))
const enqueue = route.post('/enqueue').handler(async (c) => {
  await post.enqueue()
  return c.noContent()
})
const post = defineJob('post').handler((_, { env, log }) =>
  log.info({ postedTo: env(postEnv).POST_URL }, 'posted'),
)

const router = defineRouter({ show, enqueue })
const definition = defineServer().env(shopEnv).env(postEnv).routes(router)
const env = { SHOP_KEY: 'k1', POST_URL: 'https://post.example.com' }

const seen: unknown[] = []
const hooks = (name: string): Lifecycle => ({
  name,
  afterInfrastructure: (server) => void seen.push(`${name} has ${server.env(shopEnv).SHOP_KEY}`),
  beforeShutdown: (server) => void seen.push(`${name} had ${server.env(shopEnv).SHOP_KEY}`),
})
const app = await startTestServer(definition.jobs(defineJobRouter({ post })), {
  env,
  database: true,
})
afterAll(() => app.stop())

describe('variables that a server was given', () => {
  it('are typed values in a handler and in middleware', async () => {
    const answer = await app.fetch('/show')
    expect(await answer.json()).toEqual({ ...env, SHOP_RETRIES: 3 })
    expect(answer.headers.get('x-retries')).toBe('3')
  })

  it('are there in a job', async () => {
    await app.api<typeof router>().enqueue.call()
    await vi.waitFor(
      () => expect(app.logged).toContainEqual(expect.objectContaining({ postedTo: env.POST_URL })),
      10_000,
    )
  })

  it('are there in the hooks of a lifecycle', async () => {
    const other = await startTestServer(definition.lifecycle(hooks('shop')), { env })
    await other.stop()
    expect(seen).toEqual(['shop has k1', 'shop had k1'])
  })

  it('are those of their server, where a process has several', async () => {
    const other = await startTestServer(definition, { env: { ...env, SHOP_KEY: 'k2' } })
    expect(await (await other.fetch('/show')).json()).toMatchObject({ SHOP_KEY: 'k2' })
    expect(await (await app.fetch('/show')).json()).toMatchObject({ SHOP_KEY: 'k1' })
    await other.stop()
  })

  it('are checked at boot, all of them at once with those of the server', async () => {
    const given = { SVC_PORT: 'x', SHOP_RETRIES: 'many' }
    await expect(startServer(definition, { env: given })).rejects.toMatchObject({
      problems: [
        'SVC_PORT must be a whole number from 0 to 65535',
        'SHOP_KEY is required',
        'SHOP_RETRIES must be a whole number',
        'POST_URL is required',
      ],
    })
  })

  it('are refused where the server was not given them: no start has checked them', async () => {
    const forgetful = await startTestServer(defineServer().env(postEnv).routes(router), { env })
    expect((await forgetful.fetch('/show')).status).toBe(500)
    expect(JSON.stringify(forgetful.logged)).toContain(
      'This server does not know SHOP_KEY, SHOP_RETRIES: add their reader',
    )
    await forgetful.stop()
  })
})
