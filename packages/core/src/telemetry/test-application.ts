import { Type as t } from 'typebox'
import { defineServer } from '../definition/define-server.ts'
import { TooManyRequestsError } from '../errors/contract.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { defineJob } from '../jobs/jobs.ts'
import { route } from '../routes/route.ts'
import { defineRouter } from '../routes/router.ts'

/** An application in which one request does everything that a trace goes through. */
export function testApplication() {
  const placed = defineEvent('order.placed', t.Object({ id: t.String(), email: t.String() }))
  const packed = defineEvent('order.packed', t.Object({ id: t.String() }))
  const failsOnce = new Set<string>()

  const pack = defineJob('pack')
    .on(placed)
    .retry({ limit: 1, delaySeconds: 1 })
    .handler(async ({ id }) => {
      if (failsOnce.delete(id)) throw new Error(`Nobody can pack ${id}.`)
      await packed.emit({ id })
    })

  const order = t.Object({ id: t.String(), email: t.String() })
  const router = defineRouter({
    placeOrder: route
      .post('/orders')
      .input({ body: order })
      .handler(async (c) => {
        const { body } = await c.data()
        await c.db.transaction(() => placed.emit(body))
        return c.created({ id: body.id })
      }),
    openLink: route
      .get('/links/:token')
      .input({ params: t.Object({ token: t.String() }) })
      .handler(async (c) => {
        const { params } = await c.data()
        throw new Error(`The link ${params.token} is broken.`)
      }),
    failQuery: route.get('/query').handler(async (c) => {
      const { search } = c.raw.req.query()
      await c.db.transaction((tx) => tx.execute(`select '${String(search)}'::int`))
    }),
    limited: route.get('/limited').handler(() => {
      throw new TooManyRequestsError({ retryAfter: 1 })
    }),
  })
  const definition = defineServer()
    .routes(router)
    .jobs({ pack })
    .events(defineEventRouter({ placed, packed }))
  return { definition, placed, packed, failsOnce }
}
