import { afterAll, describe, expect, it } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { startTestAuth } from '../../testing.ts'
import { timesOf, toldBy, worstOf } from './measure.ts'
import { accountsInEachState, nobody } from './test-accounts.ts'
import { everyProbe } from './test-probes.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const every = await accountsInEachState(auth, 4)
const accounts = Object.fromEntries(
  [nobody, 'with a password', 'without a password', 'suspended'].map((state) => [
    state,
    every[state] ?? [],
  ]),
)

// Five standard errors of 200 samples each. All of it, ten times as often, is in time.long.test.ts.
const samples = 200
const most = 0.65

describe('the time of an answer tells no account from none', () => {
  it.each(orFew(['login, a wrong password', 'requestPasswordReset, a link']))(
    '%s',
    async (title) => {
      const probe = everyProbe[title]
      if (!probe) throw new Error(title)
      const told = toldBy(await timesOf(probe, { url: auth.url, accounts, samples }))
      expect(worstOf(told), JSON.stringify(told)).toBeLessThan(most)
    },
    180_000,
  )

  it('and would tell a password that is not looked at', async () => {
    const probe = {
      operation: 'login',
      ask: (email: string) => ({
        ...everyProbe['login, a wrong password']?.ask(email),
        ...(every[nobody]?.includes(email) && { publicKey: 'none' }),
      }),
    } as const
    const told = toldBy(await timesOf(probe, { url: auth.url, accounts, samples: 40 }))
    expect(worstOf(told)).toBeGreaterThan(0.8)
  }, 180_000)
})
