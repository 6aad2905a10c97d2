import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey, type TestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, ...auth } = await startRace({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())
const begin = auth.clock.now()

describe('a limit of ten a minute', () => {
  it('R35: lets ten of sixteen pass, whichever instance they come to', () =>
    eachRound(async (round) => {
      // A minute of its own for each round: addresses have limits too.
      const now = new Date(begin.getTime() + (round + 1) * 60_000)
      for (const { clock } of auth.instances) clock.set(now)
      const { email, password } = await auth.createUser()
      // A key each: a device that has signed in is counted by itself, so that guesses do not lock it out.
      const keys = await Promise.all(times(clients, () => createTestKey()))
      const login = ({ registration }: TestKey) =>
        operation('login', { email, password, ...registration })
      const answers = await race(keys.map(login))

      expect(withStatus(answers, 200)).toHaveLength(10)
      expect(withStatus(answers, 429)).toHaveLength(clients - 10)
    }))
})
