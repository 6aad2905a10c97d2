import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@svc/core/testing'
import { forked, nextMessage, stopChild } from '../harness/child.ts'
import type { ClientOrder, Flood, Latency } from './client.ts'
import type { ServerOrder, Serving } from './serve-streams.ts'
import type { Variant } from './variants.ts'

export interface Plan {
  /** The PostgreSQL that stores histories. */
  serverUrl: string
  rounds: number
  /** The number of rounds in which memory is also measured with a small young generation. */
  heldRounds: number
  sizes: number[]
  warmupMillis: number
  floodMillis: number
  burst: number
  /** A burst that would take longer is left out. */
  burstLimitMillis: number
  pacedPerSecond: number
  paceMillis: number
}

export interface Rate {
  perSecond: number
  perCpuSecond: number
  /** How much of one core the client used. */
  clientShare: number
}

export interface Sample extends Latency {
  single: Rate
  burst: Rate | null
  bytesPerConnection: number
  /** Only JavaScript's memory, without reserves. */
  usedBytesPerConnection: number
  /** The same with a small young generation of the heap; null if it was not measured. */
  heldBytesPerConnection: number | null
  blockedMillis: number
}

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const patienceMillis = 90_000

/** A new server and a new client, so that memory belongs to one sample only. */
async function startPair(variant: Variant, { serverUrl }: Plan, flags: string[] = []) {
  const conditions = ['--conditions=svc-source', '--expose-gc', ...flags]
  const database = variant.history && (await createTestDatabase({ serverUrl }))
  const env = database ? { HISTORY: 'on', DATABASE_URL: database.url } : {}
  const server = forked(path(variant.file), env, conditions)
  const client = forked(path('client.ts'))
  async function stop() {
    await Promise.all([stopChild(client), stopChild(server)])
    if (database) await database.drop()
  }
  const askServer = (order: ServerOrder) => {
    const answer = nextMessage<number>(server, patienceMillis)
    server.send(order)
    return answer
  }
  const askClient = <Answer>(order: ClientOrder) => {
    const answer = nextMessage<Answer>(client, patienceMillis)
    client.send(order)
    return answer
  }
  try {
    return { serving: await nextMessage<Serving>(server), askServer, askClient, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Pair = Awaited<ReturnType<typeof startPair>>

async function rate({ askServer, askClient }: Pair, burst: number, millis: number): Promise<Rate> {
  const before = await askServer('cpuMicros')
  const flood = await askClient<Flood>({ kind: 'flood', burst, millis })
  const serverMicros = (await askServer('cpuMicros')) - before
  return {
    perSecond: flood.deliveries / (flood.millis / 1000),
    perCpuSecond: flood.deliveries / (serverMicros / 1e6),
    clientShare: flood.cpuMicros / 1000 / flood.millis,
  }
}

/**
 * Compiles and loads all code before memory is measured. Returns the rate of bursts to a few
 * connections.
 */
async function rehearse({ serving, askClient }: Pair, variant: Variant, plan: Plan) {
  await askClient({ kind: 'open', variant: variant.name, connections: 100, ...serving })
  await askClient({ kind: 'flood', burst: 1, millis: 300 })
  const burst: Flood = await askClient({ kind: 'flood', burst: plan.burst, millis: 200 })
  await askClient({ kind: 'close' })
  await sleep(200)
  return burst.deliveries / burst.millis
}

async function quiet({ askServer, askClient }: Pair, connections: number, plan: Plan) {
  const everyMillis = (connections / plan.pacedPerSecond) * 1000
  const emissions = Math.max(2, Math.round(plan.paceMillis / everyMillis))
  await askServer('watch')
  const latency = await askClient<Latency>({ kind: 'pace', everyMillis, emissions })
  return { ...latency, blockedMillis: await askServer('blockedMillis') }
}

async function idleBytes(
  { serving, askServer, askClient }: Pair,
  variant: Variant,
  connections: number,
) {
  const look = async () => [await askServer('settledBytes'), await askServer('usedBytes')] as const
  const before = await look()
  await askClient({ kind: 'open', variant: variant.name, connections, ...serving })
  const after = await look()
  return {
    bytesPerConnection: (after[0] - before[0]) / connections,
    usedBytesPerConnection: (after[1] - before[1]) / connections,
  }
}

/**
 * V8 gives young objects up to 32 MB when many are made at once, and keeps that: 3 kB for each of
 * ten thousand connections, randomly more for one server than for another. Here it gives them 2 MB.
 */
async function heldBytes(variant: Variant, connections: number, plan: Plan) {
  const pair = await startPair(variant, plan, ['--max-semi-space-size=2'])
  try {
    await rehearse(pair, variant, plan)
    return (await idleBytes(pair, variant, connections)).bytesPerConnection
  } finally {
    await pair.stop()
  }
}

interface Size {
  connections: number
  round: number
}

/** One server with so many connections, once. */
export async function takeSample(variant: Variant, { connections, round }: Size, plan: Plan) {
  const heldBytesPerConnection =
    round < plan.heldRounds ? await heldBytes(variant, connections, plan) : null
  const pair = await startPair(variant, plan)
  const { askClient } = pair
  try {
    const burstPerMilli = await rehearse(pair, variant, plan)
    const idle = await idleBytes(pair, variant, connections)
    await askClient({ kind: 'flood', burst: 1, millis: plan.warmupMillis })
    const single = await rate(pair, 1, plan.floodMillis)
    const isTooLong = (plan.burst * connections) / burstPerMilli > plan.burstLimitMillis
    const burst = isTooLong ? null : await rate(pair, plan.burst, plan.floodMillis)
    const sample: Sample = {
      single,
      burst,
      ...idle,
      heldBytesPerConnection,
      ...(await quiet(pair, connections, plan)),
    }
    await askClient({ kind: 'close' })
    return sample
  } finally {
    await pair.stop()
  }
}
