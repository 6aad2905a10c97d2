import { defineRouter, route } from '@svc/core'
import { startTestPair } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestAuth } from '../testing.ts'

const where = route
  .get('/where')
  .stale()
  .handler(async (c) => {
    const { rows } = await c.db.execute(
      sql`select pg_is_in_recovery() as "atReplica", count(*)::int as keys from svc_auth.device_keys where state = 'active'`,
    )
    return rows[0]
  })

it('a key that is revoked opens no stale route either, although the replica does not know of it', async () => {
  const pair = await startTestPair()
  onTestFinished(() => pair.stop())
  const env = { DATABASE_URL: pair.primaryUrl, DATABASE_URL_REPLICA: pair.standbyUrl }
  const auth = await startTestAuth({ env, router: defineRouter({ where }) })
  onTestFinished(() => auth.stop())
  const user = await auth.signedInUser()
  const kept = await auth.signIn(user)
  const ask = async (key: typeof kept) => {
    const answer = await auth.server.signedFetch(key)('/where')
    return { status: answer.status, body: await answer.json() }
  }
  // What is committed is on its disk, and seen there a moment later.
  await vi.waitFor(async () =>
    expect(await ask(user.key)).toEqual({ status: 200, body: { atReplica: true, keys: 2 } }),
  )

  await pair.pauseReplay()
  expect((await auth.call('logout', undefined, user.key)).status).toBe(204)
  expect((await ask(user.key)).status).toBe(401)
  // The route itself still reads what was there before.
  expect(await ask(kept)).toEqual({ status: 200, body: { atReplica: true, keys: 2 } })

  // And one that has just signed in is known, although the replica has never seen it.
  const fresh = await auth.signIn(user)
  expect((await ask(fresh)).status).toBe(200)
}, 60_000)
