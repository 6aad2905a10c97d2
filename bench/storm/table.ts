import { rounded, type Table } from '../harness/result.ts'
import { quantile, spread } from '../harness/statistics.ts'
import type { Read } from './reads.ts'
import type { StormRound, StormRow } from './storm.ts'

const p99 = (reads: Read[]) =>
  quantile(
    reads.map(({ millis }) => millis),
    0.99,
  )

const medianOf = (rounds: StormRound[], pick: (round: StormRound) => number) =>
  spread(rounds.map(pick)).median

/** How much longer signed requests take while people log in. */
export function slowdown({ rounds }: StormRow) {
  return medianOf(rounds, ({ storm, idle }) => p99(storm) / p99(idle))
}

export function stormP99({ rounds }: StormRow) {
  return medianOf(rounds, ({ storm }) => p99(storm))
}

const isRefused = (status: number) => status === 503 || status === 429

/** The time until the last refused login is answered. */
export function refusalMillis({ rounds }: StormRow) {
  return medianOf(rounds, ({ answers }) => {
    const refused = answers.filter(({ status }) => isRefused(status))
    return refused.length === 0 ? Number.NaN : Math.max(...refused.map(({ millis }) => millis))
  })
}

function countsByStatus({ rounds }: StormRow) {
  const counts = new Map<number, number>()
  for (const { status } of rounds.flatMap(({ answers }) => answers)) {
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status === 0 ? 'no answer' : status}`)
    .join(', ')
}

const ofFastify = (rows: StormRow[]) => rows.find(({ peer }) => peer.file.startsWith('fastify'))

/** The median, over rounds, of a figure as a share of Fastify's in the same round. */
function besideFastify(rows: StormRow[], row: StormRow, pick: (round: StormRound) => number) {
  const fastify = ofFastify(rows)?.rounds ?? []
  const shares = row.rounds.map((round, index) => {
    const other = fastify[index]
    return other ? pick(round) / pick(other) : Number.NaN
  })
  return spread(shares).median
}

const rate = ({ answers, millis }: StormRound) =>
  answers.filter(({ status }) => status === 200).length / (millis / 1000)

/** How many log in per second, beside Fastify. */
export const rateBeside = (rows: StormRow[], row: StormRow) => besideFastify(rows, row, rate)

/** How long it takes until all are signed in, beside Fastify. */
export const timeBeside = (rows: StormRow[], row: StormRow) =>
  besideFastify(rows, row, ({ millis }) => millis)

const failures = ({ rounds }: StormRow) =>
  rounds.flatMap(({ idle, storm }) => [...idle, ...storm]).filter(({ ok }) => !ok).length

const columns = [
  'Variant',
  'p99 idle, ms',
  'p99 in the storm, ms',
  'storm ÷ idle',
  'failed',
  'logins by status',
  'last refused after, ms',
]

const cells = (row: StormRow) => [
  row.peer.label,
  rounded(medianOf(row.rounds, ({ idle }) => p99(idle))),
  rounded(stormP99(row)),
  rounded(slowdown(row)),
  String(failures(row)),
  countsByStatus(row),
  rounded(refusalMillis(row)),
]

/** For people who log in repeatedly. */
export function steadyTable(rows: StormRow[]): Table {
  return {
    title: 'Signed requests while 32 people go on logging in',
    columns: [...columns, 'logins/s', '× Fastify'],
    rows: rows.map((row) => [
      ...cells(row),
      rounded(medianOf(row.rounds, rate)),
      rounded(rateBeside(rows, row)),
    ]),
  }
}

/** For people who come at once, and retry when they are told to, until they are signed in. */
export function burstTable(rows: StormRow[]): Table {
  return {
    title: 'Signed requests while 300 people log in at once',
    columns: [...columns, 'all in after, s', '× Fastify'],
    rows: rows.map((row) => [
      ...cells(row),
      rounded(medianOf(row.rounds, ({ millis }) => millis / 1000)),
      rounded(timeBeside(rows, row)),
    ]),
  }
}
