import { afterAll, beforeAll, expect, it } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { defineServer, migrationSources } from '../../index.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { expectPresentOnce } from './rooms.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase({ sources: migrationSources(defineServer()) })
})
afterAll(() => database.drop())

/** As if it had not been renewed for 30 s. */
const endLease = () =>
  database.pool.query(
    `update svc_core.presence_instances set until = now() - interval '1 second'
     where id = (select instance from svc_core.followers where subject = 'u15')`,
  )

it.each(orFew(['log', 'cache'] as const))(
  'an instance is killed, and half of its sixteen subjects come back elsewhere: each is present once, and has left once (R44), by %s',
  async (way) => {
    expect(await expectPresentOnce({ way, database, endLease })).toBeLessThan(10_000)
  },
)
