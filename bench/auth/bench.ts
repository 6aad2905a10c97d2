import { chosenOf, goalOf, type Options, resultOf, rounded, type Table } from '../harness/result.ts'
import { ratio } from '../harness/sample.ts'
import { spread } from '../harness/statistics.ts'
import { measure, type Row } from './measure.ts'
import { variants } from './variants.ts'

const find = (rows: Row[], name: string) => rows.find(({ variant }) => variant.name === name)

function signedTable(rows: Row[]): Table {
  const [betterAuth, limit] = [find(rows, 'better-auth'), find(rows, 'limit')]
  return {
    title: 'GET of a signed-in route, 64 connections, an account and a key or session each',
    columns: [
      'Variant',
      'req/s, median',
      'min–max',
      '× better-auth getSession',
      '× limit',
      'CPU µs/req',
      'failed',
    ],
    rows: rows.map((row) => {
      const rate = spread(row.samples.map(({ perSecond }) => perSecond))
      return [
        row.variant.label,
        rounded(rate.median),
        `${rounded(rate.min)}–${rounded(rate.max)}`,
        rounded(ratio(row, betterAuth)),
        rounded(ratio(row, limit)),
        rounded(spread(row.samples.map(({ cpuMicros }) => cpuMicros)).median),
        String(row.samples.reduce((sum, { failed }) => sum + failed, 0)),
      ]
    }),
  }
}

export async function auth(options: Options) {
  const connections = 64
  const plan = options.smoke
    ? { rounds: 1, millis: 100, warmupMillis: 0, connections: 4, requests: 64 }
    : options.quick
      ? { rounds: 3, millis: 1000, warmupMillis: 1000, connections, requests: 2048 }
      : { rounds: 7, millis: 3000, warmupMillis: 3000, connections, requests: 8192 }
  const { rows, skipped } = await measure(chosenOf(options, variants, 4), plan)

  const svc = find(rows, 'svc')
  const against = (name: string) => ratio(svc, find(rows, name))
  const least = (bound: number) => (value: number) => value >= bound
  const drivers = rows.flatMap(({ samples }) => samples.map(({ driverShare }) => driverShare))

  return resultOf('auth', options, {
    method:
      'One PostgreSQL for all, the embedded one with fsync, a pool of 10 connections each. One server at a time under ' +
      '64 keep-alive connections from a second process; after a warm-up round, ' +
      `${plan.rounds} counted rounds of ${plan.millis / 1000} s through all variants, every second one in reverse order. ` +
      `Device keys sign ${plan.requests.toLocaleString('en')} requests before each measurement. Ratios are the median ` +
      'over rounds of two rates of the same round.',
    tables: [signedTable(rows)],
    goals: [
      goalOf('at least 6 × better-auth getSession', against('better-auth'), least(6), '×'),
      goalOf(
        'at least 1.3 × its JWT plugin, which asks no database',
        against('better-auth-jwt'),
        least(1.3),
        '×',
      ),
      goalOf('at least 0.85 of the limit', against('limit'), least(0.85), '×'),
    ],
    notes: [
      `The driver used ${rounded(spread(drivers).median * 100)} % of a core in the median, ` +
        `${rounded(spread(drivers).max * 100)} % at most; near 100 % it would be the driver that is measured. ` +
        'CPU is that of the server, without PostgreSQL.',
      'express-session moves the expiry of its row on every request, as it does unless told otherwise.',
    ],
    leftOut: skipped,
  })
}
