import { getTableColumns, getTableName, is, sql, type Table } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, expect, it } from 'vitest'
import { forgetExpired } from './forget-expired.ts'
import { schema } from './schema.ts'
import { startTestAuth } from './testing.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db } = auth.auth

/** Tables whose rows expire and stay, and why. */
const kept: Record<string, string> = {
  device_keys: 'A key id belongs to one key for all time (A-020).',
  social_accounts: 'It is the end of a token of the provider; the link has none.',
  invitations: 'A list of an organization, which takes each away by itself.',
}

const tables = Object.values(schema).filter((each) => is(each, PgTable))
const hasEnd = (table: Table) =>
  Object.keys(getTableColumns(table)).some((name) => /(expires|ends)at$/i.test(name))

/** A row that expired long ago, with a value in every required column. */
async function putOver(table: PgTable) {
  const { schema: of, name, columns } = getTableConfig(table)
  const old = '2020-01-01T00:00:00Z'
  const values: Record<string, unknown> = {
    timestamp: old,
    uuid: '6f1d4f0e-9f5e-4d44-8c6f-0a4bb5f4a6a1',
    text: 'signup',
    integer: 1,
    bigint: 1,
    boolean: false,
    jsonb: '{}',
  }
  const needed = columns.filter(
    ({ notNull, hasDefault, name: column }) => (notNull && !hasDefault) || column.endsWith('_at'),
  )
  const filled = needed.map((column) => {
    const type = column.getSQLType()
    if (type.endsWith('[]')) return sql`'{}'`
    if (column.name.endsWith('_at')) return sql`${old}::timestamptz`
    const [word = ''] = type.split(/[ (]/)
    if (!(word in values)) throw new Error(`A ${type}: ${name}.${column.name}`)
    return sql`${values[word]}`
  })
  const names = sql.join(
    needed.map((column) => sql.identifier(column.name)),
    sql`, `,
  )
  const into = sql`${sql.identifier(of ?? '')}.${sql.identifier(name)}`
  await db.transaction(async (tx) => {
    // This test does not check foreign keys and states.
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`insert into ${into} (${names}) values (${sql.join(filled, sql`, `)})`)
  })
}

async function dropChecks(table: PgTable) {
  const { schema: of, name, checks } = getTableConfig(table)
  for (const { name: constraint } of checks) {
    const target = sql`${sql.identifier(of ?? '')}.${sql.identifier(name)}`
    await db.execute(sql`alter table ${target} drop constraint ${sql.identifier(constraint)}`)
  }
}

it('sweeps every table whose rows have an end, but those that say why not (decisions 16)', async () => {
  const ending = tables.filter(hasEnd)
  expect(ending.length).toBeGreaterThan(10)
  for (const table of ending) {
    await dropChecks(table)
    await putOver(table)
    expect([getTableName(table), await db.$count(table)]).toEqual([getTableName(table), 1])
  }
  await forgetExpired.enqueue()
  const left = async () => {
    const counts = await Promise.all(ending.map((table) => db.$count(table)))
    return ending.filter((_, at) => counts[at] !== 0).map(getTableName)
  }
  await expect
    .poll(async () => (await left()).toSorted(), { timeout: 10_000 })
    .toEqual(Object.keys(kept).toSorted())
})
