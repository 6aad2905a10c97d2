/** An application with streams, as a process that a test can kill. */
import { readFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { defineWebSocketRouter } from '../../contract.ts'
import {
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineMiddleware,
  defineRouter,
  defineServer,
  type HandlerContext,
  type Infrastructure,
  type Lifecycle,
  route,
  runServer,
  t,
} from '../../index.ts'
import type { InstanceOptions, OrderName, Orders, SentOrder } from './orders.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as InstanceOptions
const { farewellMillis = 0, revokedFile, rooms, ...streaming } = options

const tick = defineEvent('tick', t.Object({ n: t.Integer(), at: t.Number(), filler: t.String() }))
const roomSaid = defineChannel('room.said', t.Object({ text: t.String() }), { presence: true })
const revoked = defineEvent('revoked', t.Object({ user: t.String(), key: t.String() }))

const asUser = defineMiddleware('as-user', async (c, next) => {
  c.set('userId', c.req.header('test-user') ?? '')
  await next()
})

function identify(c: HandlerContext) {
  const subject = c.raw.req.header('test-user')
  const credential = c.raw.req.header('test-key')
  return subject ? { subject, ...(credential && { credential }) } : null
}

const credentials: Lifecycle = {
  name: 'test-credentials',
  streamCredentials: () => ({
    identify,
    async standing(grants) {
      const keys = revokedFile ? readFileSync(revokedFile, 'utf8').split('\n') : []
      return grants.map(({ credential = '' }) => (keys.includes(credential) ? null : ''))
    },
  }),
  afterInfrastructure({ streams }: Infrastructure) {
    const leave = revoked.subscribe(({ user, key }) => streams.end(user, [key]))
    return async () => leave()
  },
  async beforeShutdown() {
    await wait(farewellMillis)
  },
}

const routes = {
  hello: route.get('/hello').handler(() => ({ hello: 'world' })),
  slow: route.get('/slow').handler(async () => {
    await wait(1000)
    return { done: true }
  }),
}

const auth = { enabled: true, ...(rooms && { channels: { roomSaid: () => true } }) }
const events = { tick, ...(rooms && { roomSaid }) }
const history = rooms === 'log' ? { history: { size: 1000, ttl: 600_000 } } : {}
const definition = defineServer()
  .lifecycle(credentials)
  .routes(defineRouter(routes).use([asUser]))
  .events(defineEventRouter(events, history), { ...streaming, auth })
  .websockets(defineWebSocketRouter({ events, ...history }), { ...streaming, auth })

const { url, infrastructure, stop } = await runServer(definition)
const delay = monitorEventLoopDelay({ resolution: 1 })
let workTimer: NodeJS.Timeout | undefined
let workMillis = 0
let emitted = 0

/** Like the delay of the event loop, without the time in which other programs had the processor. */
function watchWork() {
  let before = process.threadCpuUsage()
  workMillis = 0
  workTimer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    workMillis = Math.max(workMillis, (user + system) / 1000)
  }, 1)
}

async function emit({ count, everyMillis = 0, length = 10 }: Orders['emit']['asked']) {
  const filler = 'x'.repeat(length)
  const taken: number[] = []
  const began = performance.now()
  for (let n = 1; n <= count; n++) {
    const at = performance.timeOrigin + performance.now()
    await tick.emit({ n: ++emitted, at, filler })
    taken.push(performance.timeOrigin + performance.now() - at)
    const ahead = began + n * everyMillis - performance.now()
    // Frames of one turn are sent in one write. Here each is a write of its own.
    if (ahead > 0) await wait(ahead)
    else await new Promise(setImmediate)
  }
  return taken
}

const carryOut: {
  [Name in OrderName]: (asked: Orders[Name]['asked']) => Promise<Orders[Name]['answer']>
} = {
  emit,
  async watch() {
    delay.reset()
    delay.enable()
    watchWork()
    return null
  },
  async watched() {
    clearInterval(workTimer)
    return { longestMillis: delay.max / 1e6, workMillis }
  },
  async stop() {
    await carryOut.watch(undefined)
    await wait(50)
    await stop()
    // So that the turn in which it ended counts.
    await wait(20)
    return carryOut.watched(undefined)
  },
  async facts() {
    return { streams: infrastructure.streams.size, megabytes: process.memoryUsage.rss() / 1e6 }
  },
  async revoke({ user, key }) {
    await appendFile(revokedFile ?? '', `${key}\n`)
    await revoked.emit({ user, key })
    return null
  },
}

process.on('message', ({ id, name, asked }: SentOrder) => {
  // `ask` in instance.ts guarantees that the order and its argument belong together.
  void carryOut[name](asked as never).then((answer) => process.send?.({ id, answer }))
})
// The process that started it is gone.
process.once('disconnect', () => process.exit(1))
process.send?.({ url })
