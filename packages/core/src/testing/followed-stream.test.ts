import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineServer,
  migrationSources,
  t,
} from '../index.ts'
import { createTestDatabase } from './test-database.ts'
import { startTestServer } from './test-server.ts'

const orderShipped = defineEvent('order.shipped', t.Object({ orderId: t.String() }))
const orderChanged = defineChannel('order.changed', t.Object({ status: t.String() }))
const eventRouter = defineEventRouter(
  { orderShipped, orderChanged },
  { history: { size: 100, ttl: 60_000 } },
)
const definition = defineServer().events(eventRouter)

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase({ sources: migrationSources(definition) })
})
afterAll(() => database.drop())

const start = () => startTestServer(definition, { env: { DATABASE_URL: database.url } })

it('reads a stream step by step, and goes on where it was, at another instance', async () => {
  const [here, there] = [await start(), await start()]
  const stream = await here.follow<typeof eventRouter>({
    events: ['orderShipped', 'orderChanged:o1'],
  })
  expect(stream.opened.events).toEqual(['orderShipped', 'orderChanged:o1'])
  await orderShipped.emit({ orderId: 'o1' })
  const { orderId } = await stream.next('orderShipped')
  expect(orderId).toBe('o1')

  await here.kill()
  await orderChanged.of('o1').emit({ status: 'paid' })
  await orderShipped.emit({ orderId: 'o2' })
  const again = await stream.resume(there.url)
  expect(again.opened.recovered).toBe(true)
  expect(await again.next('orderChanged:o1')).toEqual({ status: 'paid' })
  expect(await again.next('orderShipped')).toEqual({ orderId: 'o2' })
  again.drop()
  await there.stop()
})

it('says what came instead of what a test waits for', async () => {
  const app = await start()
  const stream = await app.follow<typeof eventRouter>({ events: ['orderShipped'] })
  await orderShipped.emit({ orderId: 'o1' })
  await stream.next('orderShipped')
  await app.stop()
  await expect(stream.next('orderShipped')).rejects.toThrow(
    'No orderShipped has come, and the stream is over. There came: orderShipped.',
  )
  await expect(app.follow<typeof eventRouter>({ events: ['orderShipped'] })).rejects.toThrow()
})
