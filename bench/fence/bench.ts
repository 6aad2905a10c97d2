import { createLogger, type Db } from '@svc/core'
import { connectDatabase, type Database } from '@svc/core/database'
import { createTestDatabase } from '@svc/core/testing'
import { inOrganization } from '@svc/organizations/server'
import { goalOf, type Options, resultOf, rounded, type Table } from '../harness/result.ts'
import { ratio, type Sample } from '../harness/sample.ts'
import { spread } from '../harness/statistics.ts'
import { type MembershipRow, measureMembership } from './membership.ts'
import { fencedRead, filteredRead, sources } from './notes.ts'

type Read = (db: Db, organizationId: string) => Promise<unknown[]>

const reads: Record<'filtered' | 'set' | 'fenced', Read> = {
  filtered: (db, organizationId) => filteredRead(db).execute({ organizationId }),
  // It sends what a fenced read sends: what it costs, no policy can save.
  set: (db, organizationId) =>
    filteredRead(inOrganization(db, organizationId)).execute({ organizationId }),
  fenced: (db, organizationId) => fencedRead(inOrganization(db, organizationId)).execute(),
}

interface Plan {
  rounds: number
  millis: number
  organizations: number[]
}

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

async function filled(organizations: number) {
  const database = await createTestDatabase({ sources })
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
  const measured = {
    filtered: [] as number[],
    set: [] as number[],
    fenced: [] as number[],
    ratioSet: [] as number[],
    ratio: [] as number[],
  }
  try {
    for (let round = -1; round < rounds; round++) {
      const asked = { millis, organizations }
      const filtered = await rate(reads.filtered, server, asked)
      const set = await rate(reads.set, server, asked)
      const inside = await rate(reads.fenced, server, asked)
      if (round < 0) continue
      measured.filtered.push(filtered)
      measured.set.push(set)
      measured.ratioSet.push(set / filtered)
      measured.fenced.push(inside)
      measured.ratio.push(inside / filtered)
    }
  } finally {
    await server.close()
    await database.drop()
  }
  return { organizations, ...measured }
}

const shareOf = (samples: Sample[], base: Sample[]) => ratio({ samples }, { samples: base })
const median = (samples: Sample[]) => spread(samples.map(({ perSecond }) => perSecond)).median

function membershipTable(rows: MembershipRow[]): Table {
  return {
    title: 'Signed GETs a second: without a read, and of two notes',
    columns: [
      'Organizations',
      'outside',
      'in an organization',
      'ratio',
      'in the largest',
      'ratio',
      'notes, by a filter',
      'notes, fenced',
      'ratio',
    ],
    rows: rows.map(({ organizations, samples }) => {
      const { outside, inside, crowded, filtered, fenced } = samples
      return [
        organizations.toLocaleString('en'),
        rounded(median(outside)),
        rounded(median(inside)),
        rounded(shareOf(inside, outside)),
        rounded(median(crowded)),
        rounded(shareOf(crowded, outside)),
        rounded(median(filtered)),
        rounded(median(fenced)),
        rounded(shareOf(fenced, filtered)),
      ]
    }),
  }
}

export async function fence(options: Options) {
  const plan: Plan = options.smoke
    ? { rounds: 1, millis: 100, organizations: [1_000] }
    : options.quick
      ? { rounds: 3, millis: 1_000, organizations: [1_000, 100_000] }
      : { rounds: 7, millis: 4_000, organizations: [1_000, 1_000_000] }
  const membership = await measureMembership({ ...plan, requests: options.smoke ? 64 : 8192 })
  const rows = []
  for (const organizations of plan.organizations) rows.push(await measure(organizations, plan))
  const atLeast = (goal: string, share: (samples: MembershipRow['samples']) => number) => {
    const least = Math.min(...membership.map(({ samples }) => share(samples)))
    return goalOf(goal, least, (value) => value >= 0.9, '×')
  }
  const worst = Math.min(...rows.map(({ ratio: shares }) => spread(shares).median))
  return resultOf('fence', options, {
    method:
      'Reads of the two rows of an organization by a prepared statement, twenty at once on ten connections: with a ' +
      'filter in a table without row level security; the same with the setting of the fence before it, in the same ' +
      'message; and without a filter in a tenant table. One more organization has ' +
      `a tenth as many rows as there are organizations. ${plan.rounds} counted rounds of ${plan.millis / 1000} s each, ` +
      'one after another, after one that warms up; PostgreSQL without fsync. The signed requests come from 64 ' +
      'connections of a second process, each with an account, an organization and a key of its own; one organization ' +
      'has all of these accounts and a tenth as many members as there are organizations. Ratios are the median over rounds.',
    tables: [
      {
        title: 'Reads a second',
        columns: [
          'Organizations',
          'with a filter',
          'after the setting',
          'ratio',
          'fenced',
          'ratio',
          'min–max',
        ],
        rows: rows.map(
          ({ organizations, filtered, set, ratioSet, fenced: inside, ratio: shares }) => {
            const share = spread(shares)
            return [
              organizations.toLocaleString('en'),
              rounded(spread(filtered).median),
              rounded(spread(set).median),
              rounded(spread(ratioSet).median),
              rounded(spread(inside).median),
              rounded(share.median),
              `${rounded(share.min)}–${rounded(share.max)}`,
            ]
          },
        ),
      },
      membershipTable(membership),
    ],
    goals: [
      goalOf(
        'a fenced read ≥ 0.9 × the same read with a filter',
        worst,
        (share) => share >= 0.9,
        '×',
      ),
      atLeast('a signed GET in an organization ≥ 0.9 × one outside', ({ inside, outside }) =>
        shareOf(inside, outside),
      ),
      atLeast('the same in the largest organization', ({ crowded, outside }) =>
        shareOf(crowded, outside),
      ),
      atLeast('a signed GET with a fenced read ≥ 0.9 × one with a filter', ({ fenced, filtered }) =>
        shareOf(fenced, filtered),
      ),
    ],
    notes: [],
  })
}
