import bcrypt from 'bcrypt'
import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { changeService } from '../running/test-change-held.ts'
import { createTestKey, startTestAuth } from '../testing.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db, passwords } = auth.auth

it('a password that was imported is hashed again once a thread is idle, and not while people wait', async () => {
  const { userId, email, password } = await auth.createUser()
  const imported = await bcrypt.hash(password, 4)
  await db.update(users).set({ passwordHash: imported }).where(eq(users.userId, userId))
  const logIn = async () => {
    const { registration } = await createTestKey()
    expect((await auth.call('login', { email, password, ...registration })).status).toBe(200)
  }
  const stored = async () =>
    (await db.select().from(users).where(eq(users.userId, userId)))[0]?.passwordHash

  let isIdle = false
  changeService(auth.server.infrastructure, {
    passwords: Object.create(passwords, { isIdle: { get: () => isIdle } }),
  })
  await logIn()
  // What would be hashed beside the answer stands in line before this.
  await passwords.hash('another')
  expect(await stored()).toBe(imported)

  isIdle = true
  await logIn()
  await expect.poll(stored).toMatch(/^svc1\$/)
})
