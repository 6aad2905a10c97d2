import { availableParallelism } from 'node:os'
import { chosenOf, goalOf, type Options, resultOf, rounded, type Table } from '../harness/result.ts'
import { ratio } from '../harness/sample.ts'
import { spread } from '../harness/statistics.ts'
import { measure, type Row } from './measure.ts'
import { variants } from './variants.ts'

const find = (rows: Row[], name: string) => rows.find(({ variant }) => variant.name === name)

const chosen = ['svc', 'svc-rs256', 'better-auth', 'better-auth-cache', 'better-auth-jwt']

type Part = 'perSecond' | 'cpuMicros' | 'databaseMicros'

const spreadOf = ({ samples }: Row, part: Part) => spread(samples.map((sample) => sample[part]))

function coresTable(rows: Row[], processes: number): Table {
  const betterAuth = find(rows, 'better-auth')
  return {
    title: `GET of a signed-in route, ${processes} processes each, 64 connections`,
    columns: [
      'Variant',
      'req/s, median',
      'min–max',
      '× better-auth getSession',
      'CPU µs/req',
      'and of PostgreSQL',
      'failed',
    ],
    rows: rows.map((row) => {
      const rate = spreadOf(row, 'perSecond')
      return [
        row.variant.label,
        rounded(rate.median),
        `${rounded(rate.min)}–${rounded(rate.max)}`,
        rounded(ratio(row, betterAuth)),
        rounded(spreadOf(row, 'cpuMicros').median),
        rounded(spreadOf(row, 'databaseMicros').median),
        String(row.samples.reduce((sum, { failed }) => sum + failed, 0)),
      ]
    }),
  }
}

/**
 * The median, over rounds, of a request's processor time as a share of another's, including
 * PostgreSQL's.
 */
function cpuRatio(row: Row | undefined, base: Row | undefined) {
  if (!row || !base) return Number.NaN
  const whole = ({ samples }: Row) =>
    samples.map(({ cpuMicros, databaseMicros }) => cpuMicros + databaseMicros)
  const ofBase = whole(base)
  return spread(whole(row).map((micros, round) => micros / (ofBase[round] ?? Number.NaN))).median
}

export async function cores(options: Options) {
  const connections = 64
  const processes = Math.max(2, availableParallelism())
  const plan = options.smoke
    ? { rounds: 1, millis: 100, warmupMillis: 0, connections: 4, requests: 64, processes }
    : options.quick
      ? { rounds: 3, millis: 1000, warmupMillis: 1000, connections, requests: 4096, processes }
      : { rounds: 7, millis: 3000, warmupMillis: 3000, connections, requests: 16_384, processes }
  const clustered = variants.filter(({ name }) => chosen.includes(name))
  const { rows, skipped } = await measure(chosenOf(options, clustered, 3), plan)
  const [svc, rs256, jwt] = ['svc', 'svc-rs256', 'better-auth-jwt'].map((name) => find(rows, name))
  const least = (bound: number) => (value: number) => value >= bound
  const drivers = rows.flatMap(({ samples }) => samples.map(({ driverShare }) => driverShare))

  return resultOf('cores', options, {
    method:
      `Every server in ${processes} processes that share a port by node:cluster, one for each core; Svc as SVC_PROCESSES ` +
      'runs it, with the cache in PostgreSQL. One PostgreSQL for all, the embedded one with fsync. One server at a time ' +
      `under 64 keep-alive connections from a process of its own on the same cores; after a warm-up round, ${plan.rounds} ` +
      `counted rounds of ${plan.millis / 1000} s through all variants, every second one in reverse order. Device keys sign ` +
      `${plan.requests.toLocaleString('en')} requests before each measurement. Ratios are the median over rounds.`,
    tables: [coresTable(rows, processes)],
    goals: [
      goalOf(
        'at least 6 × better-auth getSession',
        ratio(svc, find(rows, 'better-auth')),
        least(6),
        '×',
      ),
      goalOf(
        'at least 1.3 × its JWT plugin, which asks no database',
        ratio(svc, jwt),
        least(1.3),
        '×',
      ),
      goalOf(
        'with RS256, at most 0.5 of the CPU of its JWT plugin, PostgreSQL’s counted',
        cpuRatio(rs256, jwt),
        (value) => value <= 0.5,
        '×',
      ),
    ],
    notes: [
      `The driver used ${rounded(spread(drivers).median * 100)} % of a core in the median, on the cores of the servers.`,
    ],
    leftOut: skipped,
  })
}
