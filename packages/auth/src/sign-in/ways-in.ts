import type { Tx } from '@svc/core'
import { readContact } from '../accounts/contact.ts'
import type { LockedAccount } from '../accounts/lock-account.ts'
import type { Needs } from '../auth.ts'
import { signingPasskeysOf } from '../passkeys/signing-passkeys.ts'
import { countLinked } from '../social/accounts/count-linked.ts'
import { listProviders } from '../social/browser/list-providers.ts'

/** How many ways there are into an account on a device that it has not signed in on yet. */
export async function waysIn(tx: Tx, { providers }: Needs<'providers'>, account: LockedAccount) {
  const signingIn = listProviders({ providers }).providers.map(({ id }) => id)
  const email = await readContact(tx, account, 'email')
  const phone = await readContact(tx, account, 'phone')
  const ways = [
    // Nobody signs in with a password alone.
    account.passwordHash !== null && (email.value ?? phone.value) !== null,
    email.verifiedAt !== null,
    phone.verifiedAt !== null,
    (await signingPasskeysOf(tx, account.userId)).length > 0,
    ...Array(await countLinked(tx, account.userId, signingIn)).fill(true),
  ]
  return ways.filter(Boolean).length
}
