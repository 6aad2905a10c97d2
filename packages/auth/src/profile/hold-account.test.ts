import { UnauthorizedError } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { AccountDisabledError, AccountPendingDeletionError } from '../accounts/errors.ts'
import { users } from '../accounts/schema.ts'
import { startTestAuth } from '../testing.ts'
import { holdAccount } from './update-profile.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db } = auth.auth

/** What a request that was let in knows of its caller, however long ago that was. */
async function admitted() {
  const { userId, key } = await auth.signedInUser()
  const caller = { userId, keyId: key.keyId, generation: 0 }
  return { userId, key, hold: () => db.transaction((tx) => holdAccount(tx, caller)) }
}

describe('a request that was let in', () => {
  it('holds its account', async () => {
    const { userId, hold } = await admitted()
    expect(await hold()).toMatchObject({ userId, status: 'active' })
  })

  it('holds none when its device was signed out meanwhile', async () => {
    const { key, hold } = await admitted()
    await auth.call('logout', undefined, key)
    await expect(hold()).rejects.toThrow(UnauthorizedError)
  })

  it('holds none that was shut out meanwhile', async () => {
    const { userId, hold } = await admitted()
    const become = (status: 'suspended' | 'pending_deletion') =>
      db.update(users).set({ status }).where(eq(users.userId, userId))
    await become('suspended')
    await expect(hold()).rejects.toThrow(AccountDisabledError)
    await become('pending_deletion')
    await expect(hold()).rejects.toThrow(AccountPendingDeletionError)
  })
})
