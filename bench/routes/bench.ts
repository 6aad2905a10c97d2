import { chosenOf, goalOf, type Options, resultOf, rounded, type Table } from '../harness/result.ts'
import { ratio } from '../harness/sample.ts'
import { spread } from '../harness/statistics.ts'
import { measure, type Row } from './measure.ts'
import { variants } from './variants.ts'

function find(rows: Row[], name: string, method: string) {
  return rows.find((row) => row.variant.name === name && row.method === method)
}

function table(title: string, rows: Row[], method: 'GET' | 'POST'): Table {
  const bare = find(rows, 'hono-bare', method)
  const fastify = find(rows, 'fastify', method)
  const lines = rows.filter((row) => row.method === method)
  return {
    title,
    columns: [
      'Variant',
      'req/s, median',
      'min–max',
      '× bare Hono',
      '× Fastify',
      'CPU µs/req',
      'failed',
    ],
    rows: lines.map((row) => {
      const rate = spread(row.samples.map((sample) => sample.perSecond))
      return [
        row.variant.label,
        rounded(rate.median),
        `${rounded(rate.min)}–${rounded(rate.max)}`,
        rounded(ratio(row, bare)),
        rounded(ratio(row, fastify)),
        rounded(spread(row.samples.map((sample) => sample.cpuMicros)).median),
        String(row.samples.reduce((sum, sample) => sum + sample.failed, 0)),
      ]
    }),
  }
}

export async function routes(options: Options, chosen = variants) {
  const plan = options.smoke
    ? { rounds: 1, millis: 100, warmupMillis: 0, connections: 4 }
    : options.quick
      ? { rounds: 3, millis: 1000, warmupMillis: 1000, connections: 64 }
      : { rounds: 10, millis: 3000, warmupMillis: 3000, connections: 64 }
  const { rows, skipped } = await measure(chosenOf(options, chosen), plan)
  const svc = find(rows, 'svc', 'POST')
  const against = (name: string) => ratio(svc, find(rows, name, 'POST'))
  const get = ratio(find(rows, 'svc', 'GET'), find(rows, 'fastify', 'GET'))
  const least = (bound: number) => (value: number) => value >= bound
  const drivers = rows.flatMap((row) => row.samples.map((sample) => sample.driverShare))

  return resultOf('routes', options, {
    method:
      'One server at a time under 64 keep-alive connections from a second process; after a warm-up round, ' +
      `${plan.rounds} counted rounds of ${plan.millis / 1000} s through all variants, every second one in reverse ` +
      'order. Ratios are the median over rounds of two rates of the same round.',
    tables: [
      table('POST, JSON body of eight fields, five middlewares, JSON answer', rows, 'POST'),
      table('GET with a path parameter, five middlewares, JSON answer', rows, 'GET'),
    ],
    goals: [
      goalOf('POST: at least 1.0 × Fastify', against('fastify'), least(1), '×'),
      goalOf('GET: at least 1.0 × Fastify', get, least(1), '×'),
      goalOf('POST: at least 0.85 × bare Hono', against('hono-bare'), least(0.85), '×'),
      goalOf('POST: at least 2 × Elysia on Node', against('elysia'), least(2), '×'),
      goalOf('POST: at least 2 × oRPC', against('orpc'), least(2), '×'),
      goalOf('POST: at least 4 × tRPC', against('trpc'), least(4), '×'),
    ],
    notes: [
      `The driver used ${rounded(spread(drivers).median * 100)} % of a core in the median, ` +
        `${rounded(spread(drivers).max * 100)} % at most; near 100 % it would be the driver that is measured.`,
    ],
    leftOut: skipped.map(({ variant, reason }) => `${variant.label} is left out: ${reason}`),
  })
}
