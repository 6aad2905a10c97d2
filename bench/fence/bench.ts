import { createLogger, type Db, prepared } from '@svc/core'
import { connectDatabase, type Database } from '@svc/core/database'
import { createTestDatabase } from '@svc/core/testing'
import { inOrganization, tenantTable } from '@svc/organizations/server'
import { eq, sql } from 'drizzle-orm'
import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { goalOf, type Options, resultOf, rounded } from '../harness/result.ts'
import { spread } from '../harness/statistics.ts'

const fenced = tenantTable('fenced', { id: integer().notNull(), body: text().notNull() })

const open = pgTable(
  'open',
  {
    organizationId: uuid('organization_id').notNull(),
    id: integer().notNull(),
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.id] })],
)

/** Both read the rows of one organization: one by its filter, the other by the fence. */
const filteredRead = prepared('bench_filtered_read', (db, name) =>
  db
    .select()
    .from(open)
    .where(eq(open.organizationId, sql.placeholder('organizationId')))
    .limit(10)
    .prepare(name),
)
const fencedRead = prepared('bench_fenced_read', (db, name) =>
  db.select().from(fenced).limit(10).prepare(name),
)

type Read = (db: Db, organizationId: string) => Promise<unknown[]>

const reads: Record<'filtered' | 'fenced', Read> = {
  filtered: (db, organizationId) => filteredRead(db).execute({ organizationId }),
  fenced: (db, organizationId) => fencedRead(inOrganization(db, organizationId)).execute(),
}

interface Plan {
  rounds: number
  millis: number
  organizations: [number, number]
}

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

async function filled(organizations: number) {
  const database = await createTestDatabase({
    sources: [
      {
        name: 'organizations',
        directory: new URL('../../packages/organizations/migrations/', import.meta.url),
      },
      { name: 'app', directory: new URL('./migrations/', import.meta.url) },
    ],
  })
  const rows = (mostRows: number, from: number, to: number) => `
    select ('00000000-0000-4000-8000-' || lpad(o::text, 12, '0'))::uuid, n, 'A note of some words.'
    from generate_series(${from}, ${to}) o, generate_series(1, ${mostRows}) n`
  // The pool of requests would give up on a million organizations.
  for (let from = 1; from <= organizations; from += 20_000) {
    const to = Math.min(organizations, from + 19_999)
    for (const table of ['open', 'fenced']) {
      await database.pool.query(`insert into ${table} ${rows(2, from, to)}`)
    }
  }
  for (const table of ['open', 'fenced']) {
    await database.pool.query(`insert into ${table} ${rows(organizations / 10, 0, 0)}`)
    await database.pool.query(`analyze ${table}`)
  }
  const log = createLogger({ level: 'silent' })
  const server = await connectDatabase(database.processUrl ?? '', { log, maxConnections: 10 })
  return { database, server }
}

/** Reads a second, of as many callers at once as a busy server has. */
async function rate(read: Read, { db }: Database, { millis, organizations }: Asked) {
  const end = performance.now() + millis
  let done = 0
  const caller = async (_: unknown, at: number) => {
    for (let number = at * 7919; performance.now() < end; number += 104_729) {
      const rows = await read(db, idOf(1 + (number % organizations)))
      if (rows.length !== 2) throw new Error(`${rows.length} rows instead of 2`)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: 20 }, caller))
  return (done * 1000) / millis
}

interface Asked {
  millis: number
  organizations: number
}

async function measure(organizations: number, { rounds, millis }: Plan) {
  const { database, server } = await filled(organizations)
  const measured = { filtered: [] as number[], fenced: [] as number[], ratio: [] as number[] }
  try {
    for (let round = -1; round < rounds; round++) {
      const asked = { millis, organizations }
      const filtered = await rate(reads.filtered, server, asked)
      const inside = await rate(reads.fenced, server, asked)
      if (round < 0) continue
      measured.filtered.push(filtered)
      measured.fenced.push(inside)
      measured.ratio.push(inside / filtered)
    }
  } finally {
    await server.close()
    await database.drop()
  }
  return { organizations, ...measured }
}

export async function fence(options: Options) {
  const plan: Plan = options.smoke
    ? { rounds: 1, millis: 100, organizations: [100, 1_000] }
    : options.quick
      ? { rounds: 3, millis: 1_000, organizations: [1_000, 100_000] }
      : { rounds: 7, millis: 4_000, organizations: [1_000, 1_000_000] }
  const rows = []
  for (const organizations of plan.organizations) rows.push(await measure(organizations, plan))
  const worst = Math.min(...rows.map(({ ratio }) => spread(ratio).median))
  return resultOf('fence', options, {
    method:
      'Reads of the two rows of an organization by a prepared statement, twenty at once on ten connections: with a ' +
      'filter in a table without row level security, and without a filter in a tenant table. One more organization has ' +
      `a tenth as many rows as there are organizations. ${plan.rounds} counted rounds of ${plan.millis / 1000} s each, ` +
      'one after another, after one that warms up; PostgreSQL without fsync. Ratios are the median over rounds.',
    tables: [
      {
        title: 'Reads a second',
        columns: ['Organizations', 'with a filter', 'fenced', 'ratio', 'min–max'],
        rows: rows.map(({ organizations, filtered, fenced: inside, ratio }) => {
          const { median, min, max } = spread(ratio)
          return [
            organizations.toLocaleString('en'),
            rounded(spread(filtered).median),
            rounded(spread(inside).median),
            rounded(median),
            `${rounded(min)}–${rounded(max)}`,
          ]
        }),
      },
    ],
    goals: [
      goalOf(
        'a fenced read ≥ 0.9 × the same read with a filter',
        worst,
        (ratio) => ratio >= 0.9,
        '×',
      ),
    ],
    notes: [],
  })
}
