import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { socialAccounts } from '../../social/accounts/accounts.ts'
import { linksOf } from '../../social/accounts/testing/test-links.ts'
import { testProvider } from '../../social/browser/testing/test-provider.ts'
import { accessTokenOf, socialOf } from '../../social/social.ts'
import { clients, eachRound, startRace, times } from './race.ts'

const auth = await startRace({ env: withKeyring() })
afterAll(() => auth.stop())
const { db } = auth.auth
const { put } = linksOf(auth)
for (const { clock } of auth.instances) clock.set(auth.clock.now())

/** The refresh tokens that the provider was asked with. Each is good once. */
const asked: string[] = []
const bank = testProvider('race-bank', {
  refreshTokens: async (refreshToken) => {
    asked.push(refreshToken)
    const next = `after ${refreshToken}`
    return { accessToken: `for ${refreshToken}`, refreshToken: next, expiresInSeconds: 3600 }
  },
})

const inMinutes = (minutes: number) => new Date(auth.clock.now().getTime() + minutes * 60_000)
const store = (userId: string, tokens: Partial<typeof socialAccounts.$inferInsert>) =>
  db.update(socialAccounts).set(tokens).where(eq(socialAccounts.userId, userId))
const read = (userId: string, index = 0) =>
  accessTokenOf(socialOf(auth.instances[index % 2 ? 1 : 0].infrastructure), {
    provider: bank.id,
    userId,
  })

async function linkedUser() {
  const { userId } = await auth.createUser()
  await put(userId, bank, randomUUID())
  return userId
}

describe('the access token of a provider', () => {
  it('R32: is renewed once for all who ask when it has ended, and the newest refresh token is kept', () =>
    eachRound(async () => {
      const userId = await linkedUser()
      const refreshToken = randomUUID()
      const accessTokenExpiresAt = inMinutes(-1)
      await store(userId, { accessToken: 'of before', refreshToken, accessTokenExpiresAt })
      asked.length = 0
      const tokens = await Promise.all(times(clients, (index) => read(userId, index)))

      expect(asked).toEqual([refreshToken])
      expect(new Set(tokens)).toEqual(new Set([`for ${refreshToken}`]))
      await store(userId, { accessTokenExpiresAt })
      expect(await read(userId)).toBe(`for after ${refreshToken}`)
    }))

  it('R33: that has come meanwhile is not overwritten by the one before, encrypted again', () =>
    eachRound(async () => {
      const userId = await linkedUser()
      // As a release wrote it that encrypted nothing: whoever reads it encrypts it.
      await store(userId, { accessToken: 'older', accessTokenExpiresAt: inMinutes(60) })
      const reads = times(clients - 1, (index) => read(userId, index))
      const [, ...tokens] = await Promise.all([store(userId, { accessToken: 'newer' }), ...reads])

      for (const token of tokens) expect(['older', 'newer']).toContain(token)
      expect(await read(userId)).toBe('newer')
    }))
})
