import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestPair } from '../database/test-pair.ts'
import {
  defineEvent,
  defineEventRouter,
  defineJob,
  defineJobRouter,
  defineRouter,
  defineServer,
  route,
  t,
} from '../index.ts'
import { FollowedStream } from '../testing/followed-stream.ts'
import { startServer } from './server.ts'

const fresh = (name: string) => `${name}.${randomUUID()}`

it('a server on a primary and a standby: requests get 503 during the takeover, and requests, events and jobs are back within 5 s, and a stream is told that it may have missed some (F25)', {
  timeout: 60_000,
}, async () => {
  const pair = await startTestPair()
  onTestFinished(() => pair.stop())
  const ran: number[] = []
  const tick = defineEvent(fresh('tick'), t.Object({ n: t.Integer() }))
  const count = defineJob(fresh('count'))
    .input(t.Object({ n: t.Integer() }))
    .handler(({ n }) => void ran.push(n))
  const add = route
    .post('/add')
    .input({ body: t.Object({ n: t.Integer() }) })
    .handler(async (c) => {
      const { body } = await c.data()
      return c.db.transaction(async () => {
        await tick.emit(body)
        await count.enqueue(body)
        return body
      })
    })
  const router = defineEventRouter({ tick }, { history: { size: 100, ttl: 60_000 } })
  const definition = defineServer()
    .routes(defineRouter({ add }))
    .events(router)
    .jobs(defineJobRouter({ count }))
    .healthCheck({ detailed: true })
  const env = {
    NODE_ENV: 'test',
    SVC_LOG_LEVEL: 'silent',
    DATABASE_URL: pair.url,
    CACHE_URL: 'postgres:',
  }
  const server = await startServer(definition, { env, port: 0 })
  onTestFinished(() => server.stop())
  const follow = async () => {
    const stream = await FollowedStream.open<typeof router>(`${server.url}/events/stream`, {
      events: ['tick'],
    })
    onTestFinished(() => stream.drop())
    return stream
  }
  const handled: number[] = []
  onTestFinished(tick.subscribe(({ n }) => void handled.push(n)))
  const stream = await follow()
  const post = async (n: number) => {
    const body = JSON.stringify({ n })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}/add`, { method: 'POST', headers, body })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
  }

  expect((await post(1)).status).toBe(200)
  expect(await stream.next('tick')).toEqual({ n: 1 })
  await vi.waitFor(() => expect(ran).toEqual([1]), 5000)

  await pair.kill()
  expect(await post(2)).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
  await wait(500)
  await pair.promote()
  const began = performance.now()
  await vi.waitFor(async () => expect((await post(3)).status).toBe(200), { timeout: 10_000 })
  await vi.waitFor(
    async () => {
      const health = await fetch(`${server.url}/_core/health`)
      expect(await health.json()).toMatchObject({
        status: 'ok',
        services: { database: 'up', cache: 'up' },
      })
    },
    { timeout: 10_000 },
  )
  await vi.waitFor(() => expect(ran).toContain(3), { timeout: 10_000 })
  await vi.waitFor(() => expect(handled).toEqual([1, 3]), { timeout: 10_000 })
  // The standby may lack the newest of the old log, so that none can go on from there.
  const again = await stream.resume()
  expect(again.opened).toMatchObject({ recovered: false })
  await post(4)
  expect(await again.next('tick')).toEqual({ n: 4 })
  expect(performance.now() - began).toBeLessThan(5000)
})
