import { afterAll, beforeAll, expect, it } from 'vitest'
import { defineServer, migrationSources } from '../../index.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { print } from './crowd.ts'
import { expectPresentOnce } from './rooms.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase({ sources: migrationSources(defineServer()) })
})
afterAll(() => database.drop())

it.each(['log', 'cache'] as const)(
  'subjects of a killed instance that do not come back have left within its lease of 30 s (R44), by %s',
  async (way) => {
    const millis = await expectPresentOnce({ way, database })
    print({ 'left after ms': millis })
    // It was renewed at most 10 s before the end, and leases are looked at every other second.
    expect(millis).toBeGreaterThan(19_000)
    expect(millis).toBeLessThan(34_000)
  },
  90_000,
)
