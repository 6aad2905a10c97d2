import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey } from '../../testing.ts'
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
      const { registration } = await createTestKey()
      const login = operation('login', { email, password, ...registration })
      const answers = await race(times(clients, () => login))

      expect(withStatus(answers, 200)).toHaveLength(10)
      expect(withStatus(answers, 429)).toHaveLength(clients - 10)
    }))
})
