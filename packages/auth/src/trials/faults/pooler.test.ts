import { setTimeout as wait } from 'node:timers/promises'
import { createTestDatabase, poolerVersion, startTestPooler } from '@svc/core/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestAuth } from '../../testing.ts'
import { askAll, expectKept, startLoad, wrongInOutage } from './load.ts'

const missing =
  poolerVersion < 1.21 ? ' [not run: this machine has no pgbouncer of 1.21 or newer]' : ''

it.skipIf(missing)(
  `a pooler in transaction mode is restarted under load${missing}: no client is refused, and what was acknowledged is there (F28, F2)`,
  { timeout: 60_000 },
  async () => {
    const direct = await createTestDatabase()
    onTestFinished(() => direct.drop())
    const pooler = await startTestPooler(direct.url, {
      mode: 'transaction',
      preparedStatements: 200,
    })
    onTestFinished(() => pooler.stop())
    const auth = await startTestAuth({
      env: { DATABASE_URL: pooler.url, DATABASE_URL_DIRECT: direct.url, CACHE_URL: 'postgres:' },
    })
    onTestFinished(() => auth.stop())
    const users = await Promise.all(Array.from({ length: 8 }, () => auth.signedInUser()))
    const load = startLoad(auth, users)
    for (let restarts = 0; restarts < 5; restarts++) {
      await wait(300)
      await pooler.restart()
    }
    await vi.waitFor(async () => {
      const answers = await askAll(auth, users)
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    }, 5000)

    const answers = await load.stop()
    expect(wrongInOutage(answers)).toEqual([])
    expect(answers.some(({ status }) => status === 503)).toBe(true)
    await expectKept(auth, answers)
  },
)
