import { goalOf, type Options, resultOf, rounded, type Table } from '../harness/result.ts'
import { spread } from '../harness/statistics.ts'
import {
  type Crossing,
  type CrossingRow,
  measureMany,
  type WriteRound,
  type WriteRow,
} from './many-measure.ts'

const over = <Round>(rounds: Round[], figure: (round: Round) => number) =>
  spread(rounds.map(figure))

const p99 = (round: Crossing) => round.p99Millis
const commits = (round: WriteRound) => round.perSecond

function range({ min, max }: { min: number; max: number }) {
  return `${rounded(min)}–${rounded(max)}`
}

function crossingTable(rows: CrossingRow[], perSecond: number): Table {
  return {
    title: `From one instance to another, ${perSecond.toLocaleString('en')} events a second`,
    columns: ['Variant', 'p50, ms', 'p99, ms', 'min–max of p99', 'lost'],
    rows: rows.map(({ label, rounds }) => [
      label,
      rounded(over(rounds, ({ p50Millis }) => p50Millis).median),
      rounded(over(rounds, p99).median),
      range(over(rounds, p99)),
      String(rounds.reduce((sum, { emitted, events }) => sum + emitted - events, 0)),
    ]),
  }
}

/** The median, over rounds, of one row's rate as a share of another's in the same round. */
function shareOf(row: WriteRow | undefined, base: WriteRow | undefined) {
  if (!row || !base) return Number.NaN
  const shares = row.rounds.map(
    ({ perSecond }, round) => perSecond / (base.rounds[round]?.perSecond ?? Number.NaN),
  )
  return spread(shares).median
}

function writeTable(rows: WriteRow[], writers: number): Table {
  const plain = rows.find(({ mode }) => mode === 'plain')
  return {
    title: `Transactions of one row, ${writers} writers in one instance, PostgreSQL as the cache`,
    columns: ['Variant', 'commits/s, median', 'min–max', '× no event', 'heard by the other, %'],
    rows: rows.map((row) => [
      row.label,
      rounded(over(row.rounds, commits).median),
      range(over(row.rounds, commits)),
      rounded(shareOf(row, plain)),
      rounded(over(row.rounds, ({ heardShare }) => heardShare * 100).median),
    ]),
  }
}

export async function many(options: Options) {
  const plan = options.smoke
    ? { rounds: 1, millis: 200, perSecond: 100, writers: 4 }
    : options.quick
      ? { rounds: 2, millis: 1000, perSecond: 1000, writers: 64 }
      : { rounds: 5, millis: 3000, perSecond: 1000, writers: 64 }
  const { crossings, writes, skipped } = await measureMany(plan)
  const writesOf = (sought: string, history?: boolean) =>
    writes.find((row) => row.mode === sought && row.history === history)
  // Events without a listener cost next to nothing.
  const heardOf = (row: WriteRow | undefined) =>
    row?.rounds.every(({ heardShare }) => heardShare > 0.99) ? row : undefined
  const emit = heardOf(writesOf('emit'))
  const crossing = (label: string) => {
    const row = crossings.find((candidate) => candidate.label === label)
    return row && over(row.rounds, p99).median
  }

  return resultOf('many', options, {
    method:
      'Two instances, a process each, over Redis and over PostgreSQL, the embedded one with fsync. One emits events of ' +
      `200 bytes for ${plan.millis / 1000} s, ${plan.rounds} rounds in turn, and the other subscribes to them. ` +
      'Latency is from the stamp in the payload to the handler. Then one instance writes through a pool of 64 ' +
      'connections, all variants in turn, every second round in reverse order; a connection of the bench listens to NOTIFY. ' +
      'With history on, another two instances keep the last 10,000 events of 60 s in the log, which also takes them to ' +
      'the other instance.',
    tables: [crossingTable(crossings, plan.perSecond), writeTable(writes, plan.writers)],
    goals: [
      goalOf('p99 over Redis under 50 ms', crossing('Svc over Redis'), (value) => value < 50, 'ms'),
      goalOf(
        'p99 over PostgreSQL under 50 ms',
        crossing('Svc over PostgreSQL'),
        (value) => value < 50,
        'ms',
      ),
      goalOf(
        'at least 10,000 commits/s with an event each',
        emit && over(emit.rounds, commits).median,
        (value) => value >= 10_000,
        'commits/s',
      ),
      goalOf(
        'with an event each at least 0.7 × without',
        shareOf(emit, writesOf('plain')),
        (value) => value >= 0.7,
        '×',
      ),
      goalOf(
        'with an event each and history on at least 0.8 × without',
        shareOf(heardOf(writesOf('emit', true)), writesOf('plain')),
        (value) => value >= 0.8,
        '×',
      ),
      goalOf(
        'with an event each more than with NOTIFY in the transactions',
        shareOf(emit, writesOf('notify')),
        (value) => value > 1,
        '×',
      ),
    ],
    notes: [],
    leftOut: skipped,
  })
}
