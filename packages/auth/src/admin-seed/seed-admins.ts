import { createAccount } from '../accounts/create-account.ts'
import { findAccount } from '../accounts/find-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { AdminAccount } from './admin-account.ts'

type SeedNeeds = Needs<'db' | 'clock' | 'passwords' | 'log'>

/**
 * Opens the accounts that are not there yet. One that is stays as it is, whatever the variables say by now: its owner
 * may have another password, and an administrator may have given it another role.
 */
export async function seedAdmins(auth: SeedNeeds, accounts: readonly AdminAccount[]) {
  for (const account of accounts) {
    // Looked up first, since hashing is what takes time at a restart.
    if (!(await isThere(auth, account))) await seedAdmin(auth, account)
  }
}

async function seedAdmin(auth: SeedNeeds, given: AdminAccount) {
  const { db, clock, passwords, log } = auth
  const { password, ...admin } = given
  const passwordHash = await passwords.hash(password)
  const now = clock.now()
  const isOpened = await db.transaction(async (tx) => {
    const account = await createAccount(tx, { ...admin, emailVerifiedAt: now, passwordHash, now })
    if (!account) return false
    const { userId, role } = account
    await recordAudit(tx, { act: 'account.seeded', target: userId, details: { role }, at: now })
    return true
  })
  // Else another instance was faster.
  if (isOpened || (await isThere(auth, given))) return
  log.warn("An account of SVC_AUTH_ADMIN_ACCOUNTS was not opened: its phone is another account's")
}

function isThere({ db }: SeedNeeds, { email }: AdminAccount) {
  return findAccount(db, { type: 'email', value: email })
}
