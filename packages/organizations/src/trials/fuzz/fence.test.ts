import { startTestAuth } from '@svc/auth/testing'
import { migrationSources } from '@svc/core'
import { createTestDatabase } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { definition } from '../test-application.ts'
import { createFuzz } from './fuzz.ts'

const requests = Number(process.env['SVC_TEST_REQUESTS'] ?? 500)
const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31)
const repeat = `With SVC_TEST_SEED=${seed}`

/** Its pool is that of the owner of the tables. */
const database = await createTestDatabase({ sources: migrationSources(definition) })
const { url, processUrl = '' } = database
const auth = await startTestAuth({
  definition,
  env: { DATABASE_URL: processUrl, DATABASE_URL_DIRECT: url },
})
afterAll(async () => {
  await auth.stop()
  await database.drop()
})
const fuzz = await createFuzz(auth, seed)

const inside = 'organization_id = (select organizations.current_organization())'

/** Runs a function while the database is changed. */
async function broken(change: string, undo: string, run: () => Promise<void>) {
  await database.pool.query(change)
  try {
    await run()
  } finally {
    await database.pool.query(undo)
  }
}

describe('any request', () => {
  it('neither shows nor changes a row of an organization that its caller is not in', {
    timeout: Math.max(60_000, requests * 20),
  }, async () => {
    while (fuzz.sent() < requests) expect(await fuzz.batch(), repeat).toEqual([])
    // Otherwise it would have looked at refusals alone.
    expect(fuzz.shareOfDone(), repeat).toBeGreaterThan(0.1)
    if (requests < 10_000) return
    expect(fuzz.neverDone(), repeat).toEqual([])
    console.log(`${fuzz.sent()} requests. ${repeat}`)
  })

  it('finds nothing at all in a table whose policy was dropped', async () => {
    await broken(
      'drop policy in_organization on customers',
      `create policy in_organization on customers using (${inside}) with check (${inside})`,
      () =>
        expect(fuzz.batch()).rejects.toMatchObject({
          cause: { message: expect.stringContaining('violates row-level security') },
        }),
    )
  })

  it.each([
    {
      mutant: 'a policy that compares nothing',
      change: 'alter policy in_organization on customers using (true) with check (true)',
      undo: `alter policy in_organization on customers using (${inside}) with check (${inside})`,
      fault: 'shows the victim',
    },
    {
      mutant: 'a table with the column that nothing fences',
      change: 'alter table customers disable row level security',
      undo: 'alter table customers enable row level security',
      fault: 'shows the victim',
    },
    {
      mutant: 'a table with the column that nothing fences, which is only written',
      change: 'alter table invoices disable row level security',
      undo: 'alter table invoices enable row level security',
      fault: 'a row of the victim changed',
      // Few of all requests write there, and fewer name a row of the victim.
      only: ['addInvoice', 'deleteInvoices'],
    },
  ])('would tell of $mutant', async ({ change, undo, fault, only }) => {
    const found: string[] = []
    await broken(change, undo, async () => {
      const until = fuzz.sent() + 2000
      while (!found.some((each) => each.startsWith(fault)) && fuzz.sent() < until) {
        found.push(...(await fuzz.batch(only)))
      }
    })
    expect(found, repeat).toContainEqual(expect.stringContaining(fault))
  })
})
