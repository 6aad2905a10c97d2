import { afterAll, beforeEach, expect, it } from 'vitest'
import { attempts } from '../../limits/schema.ts'
import { ProviderRefusalError, registerOAuthProvider } from '../../providers/providers.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'
import { showingTo } from './testing/test-native.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(auth.stop)
beforeEach(() => auth.auth.db.delete(attempts))
const show = showingTo(auth)

const refuse = () => Promise.reject(new ProviderRefusalError('No.'))
registerOAuthProvider({
  id: 'counted',
  getAuthUrl: refuse,
  exchangeCode: refuse,
  getIdentity: refuse,
  verifyNativeIdToken: (idToken) =>
    idToken === 'bad'
      ? refuse()
      : Promise.resolve({ providerUserId: idToken, isEmailVerified: false }),
})

/** The statuses of as many id tokens one after the other. */
async function inTurn(idTokens: string[]) {
  const statuses: number[] = []
  for (const idToken of idTokens) {
    statuses.push((await show('counted', await createTestKey(), { idToken })).status)
  }
  return statuses
}

it('takes five id tokens a minute of one user of a provider, from wherever they come', async () => {
  expect(await inTurn(Array(6).fill('ada'))).toEqual([200, 200, 200, 200, 200, 429])
  expect(await inTurn(['grace'])).toEqual([200])
  auth.clock.advance('1m')
  expect(await inTurn(['ada'])).toEqual([200])
})

it('counts no invalid token against its user', async () => {
  expect(await inTurn(Array(8).fill('bad'))).toEqual(Array(8).fill(401))
  expect(await inTurn(['bad', 'linus'])).toEqual([401, 200])
})

it('takes twenty a minute from one address, for all users together', async () => {
  const statuses = await inTurn(Array.from({ length: 21 }, (_, index) => `user-${index}`))
  expect(statuses).toEqual([...Array(20).fill(200), 429])
})
