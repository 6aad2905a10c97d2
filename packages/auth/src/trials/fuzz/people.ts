import { randomUUID } from 'node:crypto'
import { createAccount, lockAccount } from '../../accounts/accounts.ts'
import { checkNewKey, registerKey } from '../../keys/keys.ts'
import { createTestKey, type TestAuth, testPassword } from '../../testing.ts'

const origin = {
  address: null,
  userAgent: null,
  requestId: 'fuzz',
  keyId: null,
  proof: null,
  knownBrowser: null,
}

/** The same kit with accounts and keys that cost no request and no hash: they are made by the thousand here. */
export async function withQuickPeople(auth: TestAuth): Promise<TestAuth> {
  const { db, passwords } = auth.auth
  const passwordHash = await passwords.hash(testPassword)

  async function signedInUser({ role = 'user' } = {}) {
    const key = await createTestKey()
    const now = auth.clock.now()
    const email = `${randomUUID()}@example.com`
    const account = { email, emailVerifiedAt: now, passwordHash, role, now }
    const { userId, publicId } = await db.transaction(async (tx) => {
      const created = await createAccount(tx, account)
      const locked = created && (await lockAccount(tx, created.userId))
      if (!locked) throw new Error(`${email} is taken.`)
      const checked = checkNewKey(key.registration)
      await registerKey(tx, { account: locked, key: checked, origin, channel: 'login', now })
      return created
    })
    return { userId, publicId, email, password: testPassword, key }
  }

  return { ...auth, signedInUser, createUser: signedInUser }
}
