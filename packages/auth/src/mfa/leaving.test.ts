import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { stepsOf } from '../contact/testing/contact.ts'
import { deletionOn, purgeAccount } from '../deletion/deletion.ts'
import { signInChallenges } from '../sign-in/schema.ts'
import { startTestAuth } from '../testing.ts'
import { recoveryCodes, totpSecrets } from './schema.ts'
import { enrolledUser, waitingSignIn, withKeyring } from './testing/test-second-factor.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(auth.stop)
const { call, clock } = auth
const { db } = auth.auth
const { changed, undo, loginByCode, newEmail } = stepsOf(auth)

it('an export says which factors there are, and no secret (A-241)', async () => {
  const user = await enrolledUser(auth)
  const since = clock.now().toISOString()
  const { body } = await call('exportUserData', undefined, user.key)
  expect(body.secondFactor).toEqual({ methods: ['totp'], since, recoveryCodesRemaining: 10 })
  for (const secret of [user.secret, ...user.recoveryCodes]) {
    expect(JSON.stringify(body)).not.toContain(secret)
  }
})

it('of an account that is purged, nothing is left', async () => {
  const user = await enrolledUser(auth)
  const { userId, password, key } = user
  await waitingSignIn(auth, user)
  expect(await call('requestAccountDeletion', { password }, key)).toMatchObject({ status: 200 })
  clock.advance('30d')
  await purgeAccount(deletionOn(auth.auth.db), userId)
  for (const table of [totpSecrets, recoveryCodes, signInChallenges]) {
    expect(await db.$count(table, eq(table.userId, userId))).toBe(0)
  }
})

it('an attacker who took an account over does not lock its owner out', async () => {
  const user = await enrolledUser(auth)
  const token = await changed(user, newEmail())
  expect(await undo(token)).toMatchObject({ status: 200 })
  expect(await loginByCode(user.email)).toMatchObject({ status: 200 })
})

it('the factor that the owner had before stays', async () => {
  const user = await enrolledUser(auth)
  clock.advance('4d')
  await call('mfaStepUp', { code: user.code() }, user.key)
  const token = await changed(user, newEmail())
  expect(await undo(token)).toMatchObject({ status: 200 })
  expect(await loginByCode(user.email)).toMatchObject({ status: 202 })
})
