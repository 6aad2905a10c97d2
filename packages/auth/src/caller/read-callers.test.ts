import { createLogger } from '@svc/core'
import { connectDatabase } from '@svc/core/database'
import { afterAll, expect, it } from 'vitest'
import { startTestAuth } from '../testing.ts'
import { createCallerReader } from './read-callers.ts'

const auth = await startTestAuth()
// With one connection, which keeps the plans of all statements.
const lone = await connectDatabase(auth.infrastructure.database?.url ?? '', {
  log: createLogger({ level: 'silent' }),
  maxConnections: 1,
})
afterAll(async () => {
  await lone.close()
  await auth.stop()
})

const keys = [(await auth.signedInUser()).key, (await auth.signedInUser()).key]
const tenant = 'a'
const read = createCallerReader(lone.pool, {
  rolesAtGates: new Set(),
  clock: auth.clock,
  standing: {
    // One row of it costs more than to plan the statement.
    select:
      "(select json_build_object('rows', count(*), 'of', asked.tenant) from generate_series(1, 1000) g where g % 2 = 0)",
    isId: () => true,
    read: (stored) => ({ id: JSON.stringify(stored), roles: [], permissions: [] }),
  },
})

it.each([
  { of: 'the key of a request', name: 'svc_auth_caller', turn: [[0]] },
  { of: 'the keys of a turn', name: 'svc_auth_callers', turn: [[0], [1]] },
  { of: 'a key with its standing', name: 'svc_auth_member', turn: [[0, tenant]] },
  {
    of: 'keys with their standings',
    name: 'svc_auth_members',
    turn: [
      [0, tenant],
      [1, tenant],
    ],
  },
] as const)('reads $of without planning the statement again', async ({ name, turn }) => {
  for (let time = 0; time < 10; time++) {
    const rows = await Promise.all(turn.map(([at, of]) => read(keys[at]?.keyId ?? '', of)))
    expect(rows.map((row) => row?.keyId)).toEqual(turn.map(([at]) => keys[at]?.keyId))
    const standings = rows.map((row) => row?.standing?.id)
    expect(standings).toEqual(turn.map(([, of]) => of && JSON.stringify({ rows: 500, of })))
  }
  const { rows } = await lone.pool.query(
    'select custom_plans::int as planned, generic_plans::int as kept from pg_prepared_statements where name = $1',
    [name],
  )
  // PostgreSQL always plans the first five times, to compare.
  expect(rows).toEqual([{ planned: 5, kept: 5 }])
})
