import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { createTestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times } from './race.ts'

const { operation, race, ...auth } = await startRace()
afterAll(() => auth.stop())
const { db } = auth.auth

// passlib 1.7.4, pbkdf2-sha256
const password = 'Grün & 72 bytes'
const imported =
  '$pbkdf2-sha256$5000$vHcOwdj731vLOSfE.P9/jw$1C2/qD8GxfLFxlk/xq3Utl5yGAquyFFS1HwIwllH42M'
const newPassword = 'another horse battery staple'

async function storedOf(userId: string) {
  const [row] = await db.select().from(users).where(eq(users.userId, userId))
  return row?.passwordHash ?? ''
}

async function importedUser() {
  const user = await auth.signedInUser()
  await db.update(users).set({ passwordHash: imported }).where(eq(users.userId, user.userId))
  return { ...user, password }
}

async function statusOf(email: string, tried: string) {
  const { registration } = await createTestKey()
  return (await auth.call('login', { email, password: tried, ...registration })).status
}

/** Nobody waits for a hash that takes another's place: those that were begun must have ended. */
async function settled(userId: string) {
  let before = ''
  await expect
    .poll(
      async () => {
        const isStill = before === (await storedOf(userId))
        before = await storedOf(userId)
        return isStill && before !== imported
      },
      { timeout: 10_000 },
    )
    .toBe(true)
}

describe('an imported password that sixteen are right with at once', () => {
  it('is hashed again, and still is the password', () =>
    eachRound(async () => {
      const user = await importedUser()
      const keys = await Promise.all(times(clients, () => createTestKey()))
      const { email } = user
      const answers = await race(
        keys.map(({ registration }) => operation('login', { email, password, ...registration })),
      )
      expect(answers.map(({ status }) => status)).toEqual(times(clients, () => 200))
      await settled(user.userId)
      expect(await storedOf(user.userId)).toMatch(/^svc1\$/)
      expect(await statusOf(email, password)).toBe(200)
    }))

  it('does not come back over the one that its owner sets meanwhile', () =>
    eachRound(async () => {
      const user = await importedUser()
      const { email } = user
      const keys = await Promise.all(times(clients - 1, () => createTestKey()))
      const [changed] = await race([
        operation('changePassword', { currentPassword: password, newPassword }, user.key),
        ...keys.map(({ registration }) => operation('login', { email, password, ...registration })),
      ])
      expect(changed?.status).toBe(204)
      await settled(user.userId)
      expect(await statusOf(email, newPassword)).toBe(200)
      expect(await statusOf(email, password)).toBe(401)
    }))
})

describe('an imported password', () => {
  it.each([
    ['changePassword', { currentPassword: password, newPassword: 'short' }],
    ['requestAccountDeletion', { password }],
    ['cancelAccountDeletion', { password }],
  ] as const)('is hashed again wherever it is right: %s', async (name, body) => {
    const { userId, email, key } = await importedUser()
    if (name === 'cancelAccountDeletion') await auth.call(name, { email, ...body })
    else await auth.call(name, body, key)
    await expect.poll(() => storedOf(userId), { timeout: 10_000 }).toMatch(/^svc1\$/)
  })
})
