import { Type as t } from 'typebox'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestRedis, type TestRedis } from '../cache/test-redis.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { noRedis } from '../events/test-broadcast.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'
import { openTestStream } from './test-stream.ts'

const signIn = defineMiddleware('auth', async (c, next) => {
  c.set('userId', c.req.header('authorization'))
  await next()
})

/** An instance with an event of its own making, as another process would have it. */
async function startInstance(redis: TestRedis) {
  const asked: string[] = []
  const shipped = defineEvent('shipped', t.Object({ owner: t.String() }))
  const isOwners = (subject: string, { owner }: { owner: string }) => {
    asked.push(subject)
    return subject === owner
  }
  const definition = defineServer()
    .routes(defineRouter({}).use([signIn]))
    .events(defineEventRouter({ shipped }), {
      auth: { enabled: true, filter: { shipped: isOwners } },
    })
  const server = await startTestServer(definition, { env: { CACHE_URL: redis.url } })
  const open = async (user: string) => {
    const headers = { authorization: user }
    const answer = await server.fetch('/events/token', { method: 'POST', headers })
    const { token } = (await answer.json()) as { token: string }
    return openTestStream(`${server.url}/events/stream?events=shipped&token=${token}`)
  }
  return { server, shipped, asked, open }
}

describe.skipIf(noRedis)(`streams of two instances${noRedis}`, () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startTestRedis()
  })
  afterAll(() => redis.stop())

  it('asks the filter where the stream is, and nowhere else (E-019)', async () => {
    const [here, there] = [await startInstance(redis), await startInstance(redis)]
    const [ada, bob] = [await there.open('ada'), await there.open('bob')]
    await here.shipped.emit({ owner: 'ada' })
    await vi.waitFor(() => expect(ada.payloads()).toEqual([{ owner: 'ada' }]))
    expect(bob.payloads()).toEqual([])
    expect([here.asked, there.asked.toSorted()]).toEqual([[], ['ada', 'bob']])
    await Promise.all([here.server.stop(), there.server.stop()])
  })
})
