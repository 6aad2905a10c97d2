import { fileURLToPath } from 'node:url'
import { forked, nextMessage, stopChild } from '../harness/child.ts'
import { freePort } from '../harness/served.ts'
import type { Back, ClientOrder, Reached, Returned } from './clients.ts'
import type { ServerOrder } from './serve-recovery.ts'
import type { Variant } from './variants.ts'

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const patienceMillis = 120_000

/** A process, and how to send it orders. */
function start(file: string, env: NodeJS.ProcessEnv = {}) {
  const child = forked(path(file), env)
  return {
    child,
    stop: () => stopChild(child),
    ask<Answer>(order: ClientOrder | ServerOrder) {
      const answer = nextMessage<Answer>(child, patienceMillis)
      child.send(order)
      return answer
    },
  }
}

async function startServer(variant: Variant, env: NodeJS.ProcessEnv) {
  const server = start(variant.file, env)
  try {
    return { ...server, ...(await nextMessage<{ url: string }>(server.child)) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

export interface Given {
  variant: Variant
  env: NodeJS.ProcessEnv
  clients: number
}

export interface Replay extends Returned, Reached {
  serverCpuMillis: number
}

/** Opens all, lets them get the first event, and then closes them. */
async function arrive(server: Server, clients: ReturnType<typeof startClients>, given: Given) {
  const { variant, clients: count } = given
  const { url } = server
  const open: ClientOrder = { kind: 'open', variant: variant.name, url, clients: count, reached: 0 }
  const opened = await clients.ask<number>(open)
  if (opened < count) throw new Error(`${count - opened} connections of ${count} do not open`)
  await server.ask({ kind: 'emit', first: 1, last: 1 })
  const { failed, failure } = await clients.ask<Reached>({ kind: 'reach', last: 1 })
  if (failed > 0) throw new Error(`${variant.label}: ${failure}`)
}

const startClients = () => start('clients.ts')

/** Clients are away while so many events are emitted, and then reconnect all at once. */
export async function takeReplay(
  given: Given,
  { events, restart }: { events: number; restart: boolean },
): Promise<Replay> {
  const { variant, env } = given
  const clients = startClients()
  const witness = startClients()
  let server = await startServer(variant, env)
  const last = 1 + events
  try {
    await arrive(server, clients, given)
    await clients.ask({ kind: 'leave' })
    // A client that stays reports when all of them have been emitted.
    const { url } = server
    await witness.ask({ kind: 'open', variant: variant.name, url, clients: 1, reached: 1 })
    await server.ask({ kind: 'emit', first: 2, last })
    const seen = await witness.ask<Reached>({ kind: 'reach', last })
    if (seen.failed > 0) throw new Error(`${variant.label}, one that stays: ${seen.failure}`)
    await witness.stop()
    if (restart) {
      await server.stop()
      server = await startServer(variant, env)
    }
    const before = await server.ask<number>({ kind: 'cpuMicros' })
    const returned = await clients.ask<Returned>({ kind: 'return', url: server.url, last })
    const serverCpuMillis = ((await server.ask<number>({ kind: 'cpuMicros' })) - before) / 1000
    // After the missed emissions, clients get the present ones.
    await server.ask({ kind: 'emit', first: last + 1, last: last + 1 })
    const reached = await clients.ask<Reached>({ kind: 'reach', last: last + 1 })
    return { ...returned, ...reached, serverCpuMillis }
  } finally {
    await Promise.all([clients.stop(), witness.stop(), server.stop()])
  }
}

export interface Restart extends Back, Reached {
  awayMillis: number
}

/** The server stops as it does for a new version, and the same clients reconnect by themselves. */
export async function takeRestart(given: Given): Promise<Restart> {
  const { variant } = given
  const env = { ...given.env, SVC_PORT: String(await freePort()) }
  const clients = startClients()
  let server = await startServer(variant, env)
  try {
    await arrive(server, clients, given)
    await clients.ask({ kind: 'follow', url: server.url })
    await server.ask({ kind: 'stop' })
    const wentAt = performance.now()
    await server.stop()
    server = await startServer(variant, env)
    const awayMillis = performance.now() - wentAt
    // Most are still away.
    await server.ask({ kind: 'emit', first: 2, last: 11 })
    const back = await clients.ask<Back>({ kind: 'back' })
    await server.ask({ kind: 'emit', first: 12, last: 12 })
    return { ...back, ...(await clients.ask<Reached>({ kind: 'reach', last: 12 })), awayMillis }
  } finally {
    await Promise.all([clients.stop(), server.stop()])
  }
}
