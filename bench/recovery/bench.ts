import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@svc/core/testing'
import { goalOf, type Options, resultOf, rounded, type Table } from '../harness/result.ts'
import { spread } from '../harness/statistics.ts'
import { type Replay, type Restart, takeReplay, takeRestart } from './take-sample.ts'
import { svc, type Variant, variants } from './variants.ts'

interface Plan {
  rounds: number
  restarts: number
  clients: number
  events: number
  streams: number
}

const whole: Plan = { rounds: 5, restarts: 3, clients: 1000, events: 1000, streams: 10_000 }
const quick: Plan = { ...whole, rounds: 2, restarts: 1, streams: 2000 }
const smoke: Plan = { rounds: 1, restarts: 1, clients: 10, events: 100, streams: 5 }

interface Row {
  label: string
  variant: Variant
  restart: boolean
  replays: Replay[]
}

/**
 * Each variant on a server that was running and, if its history survives a restart, on one that has
 * just started.
 */
const rowsOf = (): Row[] =>
  variants.flatMap((variant) => [
    { label: variant.label, variant, restart: false, replays: [] },
    ...(variant.outlives
      ? [{ label: `${variant.label}, just restarted`, variant, restart: true, replays: [] }]
      : []),
  ])

const figure = (row: Row | undefined, pick: (replay: Replay) => number) =>
  spread((row?.replays ?? []).map(pick))

const last = (replay: Replay) => replay.lastMillis / 1000

/** The median, over rounds, of one row's time as a share of another's in the same round. */
function shareOf(row: Row, base: Row | undefined) {
  return spread(
    row.replays.map((replay, round) => {
      const beside = base?.replays[round]
      return beside ? last(replay) / last(beside) : Number.NaN
    }),
  ).median
}

const sum = (counts: number[]) => String(counts.reduce((total, count) => total + count, 0))

function replayTable(rows: Row[], { clients, events }: Plan): Table {
  const byHand = rows.find(({ variant }) => variant.name === 'hand-sse')
  return {
    title: `${events.toLocaleString('en')} events of 200 bytes to each of ${clients.toLocaleString('en')} clients that return at once`,
    columns: [
      'Variant',
      'last client has its last, s',
      'min–max',
      '× by hand',
      'half of them have, s',
      'CPU of the server, s',
      'failed',
    ],
    rows: rows.map((row) => {
      const { median, min, max } = figure(row, last)
      return [
        row.label,
        rounded(median),
        `${rounded(min)}–${rounded(max)}`,
        rounded(shareOf(row, byHand)),
        rounded(figure(row, ({ medianMillis }) => medianMillis / 1000).median),
        rounded(figure(row, ({ serverCpuMillis }) => serverCpuMillis / 1000).median),
        sum(row.replays.map(({ failed }) => failed)),
      ]
    }),
  }
}

function restartTable(restarts: Restart[], { streams }: Plan): Table {
  const after = spread(restarts.map(({ afterSpreadMillis }) => afterSpreadMillis / 1000))
  const of = (pick: (restart: Restart) => number) => rounded(spread(restarts.map(pick)).median)
  return {
    title: `${streams.toLocaleString('en')} streams after a restart that spreads them`,
    columns: [
      'Variant',
      'all are back after the end of the spread, s',
      'min–max',
      'spread, s',
      'no server, s',
      'attempts meanwhile',
      'failed',
    ],
    rows: [
      [
        'Svc, SSE',
        rounded(after.median),
        `${rounded(after.min)}–${rounded(after.max)}`,
        of(({ spreadMillis }) => spreadMillis / 1000),
        of(({ awayMillis }) => awayMillis / 1000),
        of(({ refused }) => refused),
        sum(restarts.map(({ failed }) => failed)),
      ],
    ],
  }
}

async function measure(plan: Plan, env: NodeJS.ProcessEnv) {
  let rows = rowsOf()
  const restarts: Restart[] = []
  const leftOut: string[] = []
  const { clients, events, streams } = plan
  for (let round = 0; round < plan.rounds; round++) {
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      const { variant, restart } = row
      try {
        row.replays.push(await takeReplay({ variant, env, clients }, { events, restart }))
      } catch (error) {
        rows = rows.filter((other) => other !== row)
        leftOut.push(`${row.label} is left out: ${String(error)}`)
      }
    }
    console.error(`replays ${round + 1} of ${plan.rounds}`)
  }
  for (let round = 0; round < plan.restarts; round++) {
    restarts.push(await takeRestart({ variant: svc, env, clients: streams }))
    console.error(`restart ${round + 1} of ${plan.restarts}`)
  }
  return { rows, restarts, leftOut }
}

/** A figure is useless if a client did not get everything. */
function within(value: number, samples: { failed: number }[]) {
  return samples.every(({ failed }) => failed === 0) ? value : Number.NaN
}

export async function recovery(options: Options) {
  const plan = options.smoke ? smoke : options.quick ? quick : whole
  const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const database = await createTestDatabase({ serverUrl: `embedded:${directory}/data` })
  let measured: Awaited<ReturnType<typeof measure>>
  try {
    measured = await measure(plan, { HISTORY: 'on', DATABASE_URL: database.url })
  } finally {
    await database.drop()
    rmSync(directory, { recursive: true, force: true })
  }
  const { rows, restarts, leftOut } = measured
  const failures = [...rows.flatMap(({ replays }) => replays), ...restarts].flatMap(
    ({ failure }) => failure ?? [],
  )
  const own = rows.filter(({ variant }) => variant === svc)
  const after = spread(restarts.map(({ afterSpreadMillis }) => afterSpreadMillis / 1000))
  const each = `${plan.events.toLocaleString('en')} events to ${plan.clients.toLocaleString('en')} clients`
  return resultOf('recovery', options, {
    method:
      'A server process and a client process of raw sockets for each sample, over loopback; PostgreSQL is the embedded ' +
      `one with fsync. ${plan.clients.toLocaleString('en')} clients get an event and leave; ` +
      `${plan.events.toLocaleString('en')} events of 200 bytes are emitted; all clients return at the same time, at most ` +
      '256 of them unanswered, with the id of what they have got. A server that has just restarted has filled its ' +
      `memory from the log. ${plan.rounds} rounds of all variants, every second one in reverse order. A client that got ` +
      'not exactly these events, in order and once, and then the next one, has failed. By hand, what is missed is joined ' +
      'once for all clients and leaves in one write; it and Socket.IO keep their events in memory, and lose them with ' +
      `the process. Then a server with ${plan.streams.toLocaleString('en')} streams stops as it does on SIGTERM, another ` +
      'process takes its port, and each client returns after the `retry` that it was told; one that finds no server waits ' +
      `as our client does: ${plan.restarts} rounds. Tokens of Svc are checked and cost no request.`,
    tables: [replayTable(rows, plan), restartTable(restarts, plan)],
    goals: [
      ...own.map((row) =>
        goalOf(
          `${each} in under 3 s${row.restart ? ', just restarted' : ''}`,
          within(figure(row, last).median, row.replays),
          (seconds) => seconds < 3,
          's',
        ),
      ),
      goalOf(
        `${plan.streams.toLocaleString('en')} streams back within 10 s after the spread`,
        within(after.max, restarts),
        (seconds) => seconds <= 10,
        's at most',
      ),
    ],
    notes: failures.length > 0 ? [`The first failure: ${failures[0]}`] : [],
    leftOut: [...leftOut, ...(options.smoke ? failures : [])],
  })
}
