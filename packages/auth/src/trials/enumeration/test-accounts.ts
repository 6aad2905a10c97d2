import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { users } from '../../accounts/schema.ts'
import type { TestAuth } from '../../testing.ts'

export const nobody = 'none at all'
export const imported = 'with an imported password'
// Of Django, and cheaper than a hash of ours.
const importedHash = `pbkdf2_sha256$500$salt$${randomBytes(32).toString('base64')}`

type Changes = Partial<typeof users.$inferInsert>

/** Every state that an account can be in for somebody who does not know its password. */
const states: Record<string, Changes> = {
  'with a password': {},
  'without a password': { passwordHash: null },
  'of a provider that has not proved the address': { passwordHash: null, emailVerifiedAt: null },
  suspended: { status: 'suspended' },
  'pending deletion': { status: 'pending_deletion' },
  deleted: { status: 'deleted' },
  'with a second factor': { secondFactorSince: new Date() },
  'that must change its password': { passwordChangeRequired: true },
  [imported]: { passwordHash: importedHash },
}

/** Addresses of one length, those of `none at all` too, by the state of their accounts. */
export async function accountsInEachState({ auth, createUser }: TestAuth, ofEach: number) {
  const newEmail = () => `${randomBytes(12).toString('hex')}@example.com`
  const accounts: Record<string, string[]> = {
    [nobody]: Array.from({ length: ofEach }, newEmail),
  }
  for (const [name, changes] of Object.entries(states)) {
    accounts[name] = []
    for (let count = 0; count < ofEach; count++) {
      const { userId, email } = await createUser({ email: newEmail() })
      if (Object.keys(changes).length > 0) {
        await auth.db.update(users).set(changes).where(eq(users.userId, userId))
      }
      accounts[name].push(email)
    }
  }
  return accounts
}
