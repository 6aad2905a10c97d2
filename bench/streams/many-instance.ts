/** One of two instances of an application: it emits, listens and writes as the bench orders. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, defineEventRouter, defineServer, startServer } from '@svc/core'
import { quantile } from '../harness/statistics.ts'
import { nowMicros, stampedPayload } from './payload.ts'
import { keeping, start, tick } from './svc-streams.ts'

// The row of one transaction: without any message, with an event, or with NOTIFY. The last two are
// without Svc, in one round trip.
export type WriteMode = 'plain' | 'emit' | 'notify' | 'hand' | 'hand-notify'

interface EmitOrder {
  kind: 'emit'
  perSecond: number
  millis: number
}

interface WriteOrder {
  kind: 'write'
  mode: WriteMode
  writers: number
  millis: number
}

interface HeardOrder {
  kind: 'heard'
  /** The result waits for what is still on its way. */
  atLeast: number
}

export type InstanceOrder = EmitOrder | WriteOrder | HeardOrder

export interface Writes {
  commits: number
  millis: number
}

/** The messages that have arrived since the last question. */
export interface Heard {
  events: number
  p50Millis: number
  p99Millis: number
}

const patienceMillis = 3000

let latencies: number[] = []
tick.subscribe(({ at }) => {
  latencies.push(nowMicros() - Number(at.slice(1)))
})

const { CACHE_URL } = process.env
const router = defineEventRouter({ tick }, keeping)
const { infrastructure } = await startServer(defineServer().events(router), {
  ...start,
  env: { ...start.env, CACHE_URL, SVC_DATABASE_CONNECTIONS: '64' },
})

/** At a steady rate, without waiting for the earlier ones. */
async function emit({ perSecond, millis }: EmitOrder) {
  const startedAt = performance.now()
  let emitted = 0
  for (let elapsed = 0; elapsed < millis; elapsed = performance.now() - startedAt) {
    for (; emitted < (elapsed / 1000) * perSecond; emitted++) void tick.emit(stampedPayload())
    await sleep(1)
  }
  return emitted
}

async function heard({ atLeast }: HeardOrder): Promise<Heard> {
  const end = performance.now() + patienceMillis
  while (latencies.length < atLeast && performance.now() < end) await sleep(20)
  const own = latencies
  latencies = []
  return {
    events: own.length,
    p50Millis: quantile(own, 0.5) / 1000,
    p99Millis: quantile(own, 0.99) / 1000,
  }
}

const insert = `insert into written (note) values ('a row')`
const notify = () => `select pg_notify('written', '${JSON.stringify(stampedPayload())}')`

function writeOnce({ db, pool }: Database, mode: WriteMode): Promise<unknown> {
  if (mode === 'hand') return pool.query(insert)
  if (mode === 'hand-notify') return pool.query(`begin; ${insert}; ${notify()}; commit`)
  return db.transaction(async (tx) => {
    await tx.execute(insert)
    if (mode === 'emit') await tick.emit(stampedPayload())
    if (mode === 'notify') await tx.execute(notify())
  })
}

async function write(database: Database, { mode, writers, millis }: WriteOrder): Promise<Writes> {
  const startedAt = performance.now()
  let commits = 0
  async function keepWriting() {
    for (; performance.now() - startedAt < millis; commits++) await writeOnce(database, mode)
  }
  await Promise.all(Array.from({ length: writers }, keepWriting))
  return { commits, millis: performance.now() - startedAt }
}

async function obey(order: InstanceOrder) {
  if (order.kind === 'emit') return emit(order)
  if (order.kind === 'heard') return heard(order)
  const { database } = infrastructure
  if (!database) throw new Error('there is no database to write into')
  return write(database, order)
}

process.on('message', (order) => {
  // The message is of our own protocol.
  void obey(order as InstanceOrder).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
