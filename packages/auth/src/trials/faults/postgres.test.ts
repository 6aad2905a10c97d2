import { setTimeout as wait } from 'node:timers/promises'
import { startTestPostgres, type TestPostgres } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestAuth, type TestAuth, type TestUser } from '../../testing.ts'
import { ask, askAll, expectKept, startLoad, wrongInOutage } from './load.ts'

let postgres: TestPostgres
let auth: TestAuth
let users: TestUser[]

// What a hook answers runs in the end, also where the next hook fails.
beforeAll(async () => {
  postgres = await startTestPostgres()
  return () => postgres.stop()
})
beforeAll(async () => {
  auth = await startTestAuth({ env: { DATABASE_URL: postgres.url } })
  users = await Promise.all(Array.from({ length: 8 }, () => auth.signedInUser()))
  return () => auth.stop()
})

/** The same process, the same keys, without anybody's help. */
const isBack = () =>
  vi.waitFor(async () => {
    const answers = await askAll(auth, users)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  }, 5000)

describe('PostgreSQL', () => {
  it('F3, F5: killed under load, down for a while and back: no sign-in is refused, and nothing that was said to be done is lost', async () => {
    const load = startLoad(auth, users)
    await wait(300)
    await postgres.kill()
    await wait(1000)
    const during = await askAll(auth, users)
    await postgres.restart()
    const began = performance.now()
    await isBack()
    expect(performance.now() - began).toBeLessThan(5000)

    const answers = await load.stop()
    expect(wrongInOutage([...answers, ...during])).toEqual([])
    expect(new Set(during.map(({ status }) => status))).toEqual(new Set([503]))
    await expectKept(auth, answers)
  })

  it('F4, F5: stalled: more requests than connections get 503 within 5 s, and all are served when it goes on', async () => {
    const load = startLoad(auth, users)
    await wait(300)
    postgres.pause()
    const during = await askAll(auth, users)
    postgres.resume()
    await isBack()

    expect(wrongInOutage([...(await load.stop()), ...during])).toEqual([])
    expect(new Set(during.map(({ status }) => status))).toEqual(new Set([503]))
  })

  it('F2, F5: cutting every connection again and again under load: no sign-in is refused', async () => {
    const load = startLoad(auth, users)
    for (let cuts = 0; cuts < 15; cuts++) {
      await auth.auth.db
        .execute(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`)
        .catch(() => {})
      await wait(50)
    }
    const answers = await load.stop()
    await isBack()

    expect(wrongInOutage(answers)).toEqual([])
    expect(answers.some(({ status }) => status === 503)).toBe(true)
  })

  it('being down counts no try of a right password or a right code', async () => {
    const limited = await startTestAuth({
      env: { DATABASE_URL: postgres.url, SVC_RATE_LIMIT: 'on' },
    })
    const user = await limited.signedInUser()
    const target = { target: user.email, targetType: 'email', purpose: 'login' }
    const code = await limited.requestCode(user.email)
    await postgres.kill()
    for (let tries = 0; tries < 12; tries++) {
      expect((await ask(limited, user, 'login')).status).toBe(503)
      expect((await limited.call('verifyCode', { ...target, code })).status).toBe(503)
    }
    await postgres.restart()

    await vi.waitFor(async () => expect((await ask(limited, user, 'login')).status).toBe(200), 5000)
    const verified = await limited.call('verifyCode', { ...target, code })
    expect(verified).toMatchObject({ status: 200 })
    await limited.stop()
  })
})
