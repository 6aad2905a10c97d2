import type { Tx } from '@svc/core'
import { readContact } from '../accounts/contact.ts'
import type { LockedAccount } from '../accounts/lock-account.ts'
import type { Needs } from '../auth.ts'

/** How many ways there are into an account on a device that it has not signed in on yet. */
export async function waysIn(tx: Tx, { parts }: Needs<'parts'>, account: LockedAccount) {
  const email = await readContact(tx, account, 'email')
  const phone = await readContact(tx, account, 'phone')
  const ways = [
    // Nobody signs in with a password alone.
    account.passwordHash !== null && (email.value ?? phone.value) !== null,
    email.verifiedAt !== null,
    phone.verifiedAt !== null,
  ]
  return ways.filter(Boolean).length + (await parts.waysIn(tx, account))
}
