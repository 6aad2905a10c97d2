import { type Tx, ValidationError } from '@svc/core'
import {
  changeProfile,
  heldRoles,
  type Identifier,
  type LockedAccount,
  readTarget,
  setLocale,
} from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import { setVerifiedContact } from '../contact/contact.ts'
import { readProfileChanges } from '../profile/profile.ts'
import { findRole } from '../roles/roles.ts'
import { type By, entryOf } from './act.ts'
import { refuseBeyond } from './refuse-beyond.ts'
import type { UserChanges } from './user-details.ts'

type UpdateNeeds = Needs<'linkMail' | 'notifier' | 'log' | 'parts'>

/** Changes what is named, all of it or nothing; null clears it. */
export async function updateUser(
  tx: Tx,
  auth: UpdateNeeds,
  { account, changes, by }: { account: LockedAccount; changes: UserChanges; by: By },
) {
  const { email, phone, reason: _, ...profile } = changes
  const { locale, ...others } = readProfileChanges(profile)
  for (const to of readContacts({ email, phone })) await setContact(tx, auth, { account, to, by })
  await changeProfile(tx, account, others)
  if (locale !== undefined) await setLocale(tx, account, locale)
  const changed = Object.entries(profile).flatMap(([name, to]) => (to === undefined ? [] : [name]))
  if (changed.length === 0) return
  await recordAudit(tx, { act: 'user.updated', ...entryOf(by, account.userId, { changed }) })
}

interface Contacts {
  email: string | undefined
  phone: string | undefined
}

function readContacts({ email, phone }: Contacts): Identifier[] {
  return [
    ...(email === undefined ? [] : [readTarget(email, 'email', 'body.email')]),
    ...(phone === undefined ? [] : [readTarget(phone, 'phone', 'body.phone')]),
  ]
}

interface Contact {
  account: LockedAccount
  to: Identifier
  by: By
}

/** An address or number signs in: the trail must say why it was set. */
async function setContact(tx: Tx, auth: UpdateNeeds, { account, to, by }: Contact) {
  const { reason, ...author } = by
  if (account.isService) {
    const message = 'The account is of programs: no person can sign in to it.'
    throw new ValidationError({ fields: [{ path: `body.${to.type}`, message }] })
  }
  if (reason === undefined) {
    const message = 'Say why the address or number is set.'
    throw new ValidationError({ fields: [{ path: 'body.reason', message }] })
  }
  for (const { name } of await heldRoles(tx, account)) {
    const role = await findRole(tx, name)
    if (role) await refuseBeyond(tx, by.actor, role)
  }
  await setVerifiedContact(tx, auth, { account, to, reason, ...author })
}
