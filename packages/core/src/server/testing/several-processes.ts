/** An application in several processes, as a test starts it. */
import cluster from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import { Type as t } from 'typebox'
import { defineServer } from '../../definition/define-server.ts'
import { defineEvent } from '../../events/event.ts'
import { defineEventRouter } from '../../events/event-router.ts'
import { defineRouter, route } from '../../routes/contract.ts'
import { runServer } from '../server.ts'

const Tick = t.Object({ n: t.Integer() })
const ticked = defineEvent('test.ticked', Tick)

const routes = defineRouter({
  which: route.get('/which').handler(() => ({ pid: process.pid })),
  slow: route.get('/slow').handler(async () => {
    await wait(1000)
    return { pid: process.pid }
  }),
  tick: route
    .post('/tick')
    .input({ body: Tick })
    .handler(async (c) => {
      const { body } = await c.data()
      await ticked.emit(body)
      return { pid: process.pid }
    }),
})

// Where a test wants it: every process but the first fails as it starts.
if (process.env['TEST_OTHERS_FAIL'] && (cluster.worker?.id ?? 1) > 1) process.exit(3)
await runServer(defineServer().routes(routes).events(defineEventRouter({ ticked })))
