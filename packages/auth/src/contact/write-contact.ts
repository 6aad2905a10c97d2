import { ConflictError, databaseFailure, type Tx } from '@svc/core'
import { readContact, setContact } from '../accounts/contact.ts'
import type { Identifier } from '../accounts/identifier.ts'
import type { LockedAccount } from '../accounts/lock-account.ts'
import type { Needs } from '../auth.ts'
import { forgetCodesOf } from '../codes/forget-codes.ts'
import { contactChangedEvent } from '../events.ts'
import { endLinksOf } from '../links/end-links-of.ts'

interface Write {
  account: LockedAccount
  to: Identifier & { verifiedAt: Date | null }
  now: Date
}

/** Another address or number, and the end of what was sent to the one before. False when somebody else has it. */
export async function writeContact(tx: Tx, { parts }: Needs<'parts'>, { account, to, now }: Write) {
  const { type, value } = to
  const { userId } = account
  const { value: from } = await readContact(tx, account, type)
  // Links before the account, as whoever spends one does.
  if (type === 'email') {
    await endLinksOf(tx, { userId, from, to: value, purposes: parts.linkPurposes(), now })
  }
  if (from !== null) await forgetCodesOf(tx, { type, value: from })
  try {
    await setContact(tx, account, to)
  } catch (error) {
    if (databaseFailure(error) instanceof ConflictError) return false
    throw error
  }
  await contactChangedEvent.emit({ userId, kind: type })
  return true
}
