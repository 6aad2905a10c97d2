import { Client } from 'pg'
import type { Heard, WriteMode, Writes } from './many-instance.ts'
import { openPairs, type Pair } from './many-pair.ts'

export interface ManyPlan {
  rounds: number
  millis: number
  perSecond: number
  writers: number
}

export interface Crossing extends Heard {
  emitted: number
}

export interface WriteRound {
  perSecond: number
  /** The share of the events that the other instance got, if there were any. */
  heardShare: number
}

export interface CrossingRow {
  label: string
  pair: Pair
  rounds: Crossing[]
}

interface Writing {
  mode: WriteMode
  label: string
  /** Whether the instances keep a history. */
  history?: boolean
}

export interface WriteRow extends Writing {
  rounds: WriteRound[]
}

const writings: Writing[] = [
  { mode: 'plain', label: 'Svc, no event' },
  { mode: 'emit', label: 'Svc, emit in each transaction' },
  { mode: 'emit', label: 'Svc, emit in each transaction, history on', history: true },
  { mode: 'notify', label: 'Svc, NOTIFY in each transaction instead' },
  { mode: 'hand', label: 'pg by hand, one statement, no event' },
  { mode: 'hand-notify', label: 'pg by hand, NOTIFY in each transaction' },
]

async function cross({ first, second }: Pair, plan: ManyPlan): Promise<Crossing> {
  const { perSecond, millis } = plan
  const emitted = await first.ask<number>({ kind: 'emit', perSecond, millis })
  return { ...(await second.ask<Heard>({ kind: 'heard', atLeast: emitted })), emitted }
}

async function write({ first, second }: Pair, mode: WriteMode, plan: ManyPlan) {
  const { writers, millis } = plan
  const writes = await first.ask<Writes>({ kind: 'write', mode, writers, millis })
  const atLeast = mode === 'emit' ? writes.commits : 0
  const { events } = await second.ask<Heard>({ kind: 'heard', atLeast })
  return {
    perSecond: writes.commits / (writes.millis / 1000),
    heardShare: mode === 'emit' ? events / writes.commits : Number.NaN,
  }
}

/** A listener is needed, as the other instance listens to events: NOTIFY costs more then. */
async function listenToWritten(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('listen written')
  return client
}

/** All pairs of instances, in turn. */
export async function measureMany(plan: ManyPlan) {
  const pairs = openPairs()
  const crossings: CrossingRow[] = []
  const skipped: string[] = []
  try {
    const redis = await pairs.overRedis()
    const { pair: postgres, withHistory, url } = await pairs.overPostgres()
    const candidates = [
      { label: 'Svc over Redis', pair: redis },
      { label: 'Svc over PostgreSQL', pair: postgres },
      { label: 'Svc over PostgreSQL, history on', pair: withHistory },
    ]
    for (const { label, pair } of candidates) {
      const { events } = await cross(pair, plan)
      if (events > 0) crossings.push({ label, pair, rounds: [] })
      else skipped.push(`${label} is left out: no event reaches the other instance.`)
    }
    for (let round = 0; round < plan.rounds; round++) {
      for (const { pair, rounds } of crossings) rounds.push(await cross(pair, plan))
      console.error(`crossing ${round + 1} of ${plan.rounds}`)
    }
    const listener = await listenToWritten(url)
    const writes: WriteRow[] = writings.map((writing) => ({ ...writing, rounds: [] }))
    for (let round = -1; round < plan.rounds; round++) {
      for (const { mode, history, rounds } of round % 2 === 0 ? writes : writes.toReversed()) {
        const written = await write(history ? withHistory : postgres, mode, plan)
        if (round >= 0) rounds.push(written)
      }
      console.error(round < 0 ? 'warm' : `writes ${round + 1} of ${plan.rounds}`)
    }
    await listener.end()
    return { crossings, writes, skipped }
  } finally {
    await pairs.close()
  }
}
