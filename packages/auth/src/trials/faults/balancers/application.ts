import {
  clientAddress,
  defineEvent,
  defineEventRouter,
  defineRouter,
  defineServer,
  defineWebSocketRouter,
  route,
  t,
} from '@svc/core'
import { authenticate } from '../../../authenticate/authenticate.ts'
import { createAuthLifecycle } from '../../../lifecycle.ts'
import { authRouter } from '../../../router.ts'

const tick = defineEvent('test.tick', t.Object({ n: t.Integer() }))

/** A client that was away gets what it has missed from whichever instance it comes to. */
const history = { size: 100_000, ttl: 600_000 }

export const eventRouter = defineEventRouter({ tick }, { history })
export const socketRouter = defineWebSocketRouter({ events: { tick }, history })

const sayTick = route
  .post('/ticks')
  .input({ body: t.Object({ n: t.Integer() }) })
  .handler(async (c) => {
    const { body } = await c.data()
    await tick.emit(body)
    return body
  })

/** Open to all and without a database: what fails here is a connection that was closed. */
const plain = route
  .post('/plain')
  .skip(['auth'])
  .handler(() => ({ plain: true }))

/** What the instance takes for the address of its client. */
const whereFrom = route.get('/where-from').handler((c) => ({ address: clientAddress(c.raw) }))

/** How many threads this process has started. */
function countThreads() {
  let count = 0
  process.on('worker', () => (count += 1))
  return route
    .get('/threads')
    .skip(['auth'])
    .handler(() => ({ pid: process.pid, count }))
}

/** The application of the three instances: sign-in, and an event that every stream gets. */
export function application() {
  const auth = { enabled: true }
  return defineServer()
    .routes(
      defineRouter({ sayTick, plain, whereFrom, threads: countThreads() })
        .packages([authRouter])
        .use([authenticate]),
    )
    .lifecycle(createAuthLifecycle({ templates: { 'new-device': null } }))
    .events(eventRouter, { auth })
    .websockets(socketRouter, { auth })
}
