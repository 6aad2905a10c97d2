import type { Result } from './result.ts'

interface Figure {
  what: string
  /** The bench. Its first table with the column counts. */
  bench: string
  column: string
  unit?: string
  /** Our row, by the beginning of its name, and the others, by their names here. */
  ours: string
  others: Record<string, string>
}

const shown: Figure[] = [
  {
    what: 'requests with a live session, a second',
    bench: 'auth',
    column: 'req/s, median',
    ours: 'Svc, ES256',
    others: {
      'better-auth': 'better-auth getSession',
      'its JWT plugin, which asks no database': 'better-auth JWT plugin',
      'express-session': 'express-session',
    },
  },
  {
    what: 'p99 of those while 32 people go on logging in',
    bench: 'storm',
    column: 'p99 in the storm, ms',
    unit: 'ms',
    ours: 'Svc, ES256',
    others: { Fastify: 'Fastify', 'better-auth': 'better-auth' },
  },
  {
    what: 'logins a second of those 32, bcrypt with 12 rounds',
    bench: 'storm',
    column: 'logins/s',
    ours: 'Svc, ES256',
    others: { Fastify: 'Fastify' },
  },
  {
    what: '300 people who log in at once are all in after',
    bench: 'storm',
    column: 'all in after, s',
    unit: 's',
    ours: 'Svc, ES256',
    others: { Fastify: 'Fastify' },
  },
  {
    what: 'validated POSTs with five middlewares, a second',
    bench: 'routes',
    column: 'req/s, median',
    ours: 'Svc',
    others: { Fastify: 'Fastify', 'Hono with zod': 'Hono, zod', oRPC: 'oRPC', tRPC: 'tRPC' },
  },
  {
    what: 'type-check of 1,000 routes and their client',
    bench: 'types',
    column: 'seconds, median',
    unit: 's',
    ours: 'Svc',
    others: { tRPC: 'tRPC', oRPC: 'oRPC', Elysia: 'Elysia', Hono: 'Hono hc' },
  },
  {
    what: 'events to 1,000 streams, 30 in a turn, deliveries a second',
    bench: 'streams',
    column: '30 emissions in a turn, deliveries/s',
    ours: 'Svc, SSE',
    others: { 'better-sse': 'better-sse', Hono: 'Hono streamSSE', 'Socket.IO': 'Socket.IO' },
  },
]

/** The guide's figures of streams with a history. */
const ofStreams: Figure[] = [
  {
    what: '1,000 clients return at once, and have the 1,000 events that each missed after',
    bench: 'recovery',
    column: 'last client has its last, s',
    unit: 's',
    ours: 'Svc, SSE',
    others: { 'Socket.IO, which keeps them in memory': 'Socket.IO' },
  },
  {
    what: 'the same, where all of the server was just restarted',
    bench: 'recovery',
    column: 'last client has its last, s',
    unit: 's',
    ours: 'Svc, SSE, just restarted',
    others: {},
  },
  {
    what: 'an event reaches another instance, p99',
    bench: 'many',
    column: 'p99, ms',
    unit: 'ms',
    ours: 'Svc over PostgreSQL, history on',
    others: { 'without a history': 'Svc over PostgreSQL', 'and over Redis': 'Svc over Redis' },
  },
  {
    what: 'commits with an event each, a second',
    bench: 'many',
    column: 'commits/s, median',
    ours: 'Svc, emit in each transaction, history on',
    others: {
      'without a history': 'Svc, emit in each transaction',
      'without an event': 'Svc, no event',
    },
  },
]

/** Some of the figures, each beside its peers of the same run. */
export function figures(results: Result[]) {
  return tableFor(shown, results, 'docs/performance.md')
}

/** Those of streams with a history, for the guide. */
export function streamFigures(results: Result[]) {
  return tableFor(ofStreams, results, '../performance.md')
}

function tableFor(list: Figure[], results: Result[], page: string) {
  const rows = list
    .filter(({ bench, column }) => tableOf(results, bench, column))
    .map((figure) => rowOf(figure, results, page))
  return ['| | Svc | beside it |', '|---|--:|---|', ...rows].join('\n')
}

/** Missing if the result is older than this column. */
function tableOf(results: Result[], bench: string, column: string) {
  const result = results.find(({ name }) => name === bench)
  return result?.tables.find(({ columns }) => columns.includes(column))
}

function rowOf(
  { what, bench, column, unit, ours, others }: Figure,
  results: Result[],
  page: string,
) {
  const table = tableOf(results, bench, column)
  const valueOf = (begin: string) => {
    const row = table?.rows.find(([name = '']) => name.startsWith(begin))
    const value = row?.[table?.columns.indexOf(column) ?? -1]
    if (value === undefined) throw new Error(`${bench} has no ${begin} with ${column}.`)
    return unit === undefined ? value : `${value} ${unit}`
  }
  const beside = Object.entries(others).map(([name, begin]) => `${name} ${valueOf(begin)}`)
  const name = `[${what}](${page}#${bench})`
  return `| ${name} | **${valueOf(ours)}** | ${beside.join(' · ')} |`
}
