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

/** The time until the last login that is not taken has been told so. */
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

const loginsPerSecond = ({ rounds }: StormRow) =>
  medianOf(rounds, ({ answers, millis }) => {
    const accepted = answers.filter(({ status }) => status === 200)
    return accepted.length / (millis / 1000)
  })

const failures = ({ rounds }: StormRow) =>
  rounds.flatMap(({ idle, storm }) => [...idle, ...storm]).filter(({ ok }) => !ok).length

export function stormTable(title: string, rows: StormRow[]): Table {
  return {
    title,
    columns: [
      'Variant',
      'p99 idle, ms',
      'p99 in the storm, ms',
      'storm ÷ idle',
      'failed',
      'logins by status',
      'last refused after, ms',
      'logins/s',
    ],
    rows: rows.map((row) => [
      row.peer.label,
      rounded(medianOf(row.rounds, ({ idle }) => p99(idle))),
      rounded(stormP99(row)),
      rounded(slowdown(row)),
      String(failures(row)),
      countsByStatus(row),
      rounded(refusalMillis(row)),
      rounded(loginsPerSecond(row)),
    ]),
  }
}
