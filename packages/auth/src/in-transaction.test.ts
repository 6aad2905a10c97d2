import { createTestDatabase } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestAuth, type TestAuth } from './testing.ts'

let auth: TestAuth
const database = await createTestDatabase()

beforeAll(async () => {
  // The strictest that an operator may set: of two that write the same account at once, PostgreSQL refuses one.
  const { rows } = await database.pool.query('select current_database() as name')
  await database.pool.query(
    `alter database ${rows[0].name} set default_transaction_isolation = 'serializable'`,
  )
  auth = await startTestAuth({ env: { DATABASE_URL: database.url } })
})
afterAll(async () => {
  await auth.stop()
  await database.drop()
})

describe('an operation of ours that collides with another one', () => {
  it('is done, and its caller does not hear of it', async () => {
    const user = await auth.signedInUser()
    const calls = Array.from({ length: 4 }, (_, at) =>
      auth.call('updateUserProfile', { displayName: `Name ${at}` }, user.key),
    )
    const logins = Array.from({ length: 4 }, () => auth.signIn(user))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 200])
    expect(await Promise.all(logins)).toHaveLength(4)
    expect(await auth.keysOf(user.userId)).toHaveLength(5)
  })
})
