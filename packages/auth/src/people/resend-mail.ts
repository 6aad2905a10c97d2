import { ConflictError, type Tx } from '@svc/core'
import { findResettable, type LockedAccount, readUserRow } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { findUndoableOf } from '../contact/contact.ts'
import { orderPasswordReset } from '../password-reset/password-reset.ts'
import { countSend, countUndoText } from '../sends/sends.ts'
import { type By, entryOf, type PeopleHeld } from './act.ts'
import { refuseUnreachable } from './find-owner.ts'
import { findWaitingOf } from './store.ts'
import type { UserMail } from './user-details.ts'

interface Counted {
  userId: string
  mail: UserMail
  origin: RequestOrigin
}

/** Within the limits that the mail has where its reader, or a stranger, asks for it. */
export async function countMail(auth: PeopleHeld, { userId, mail, origin }: Counted) {
  if (mail === 'contact_undo') return countUndos(auth, { userId, origin })
  const row = await readUserRow(auth.db, userId)
  if (!row?.item.email) return
  const identifier = { type: 'email' as const, value: row.item.email }
  const purpose = mail === 'password_reset' ? 'password_reset_link' : (`people/${mail}` as const)
  await countSend(auth, { identifier, purpose, origin })
}

/** Each goes to the address or number that a change has replaced. */
async function countUndos(auth: PeopleHeld, { userId, origin }: Omit<Counted, 'mail'>) {
  const undos = await findUndoableOf(auth.db, userId, auth.clock.now())
  for (const { kind: type, oldValue: value } of undos) {
    const purpose = 'people/contact_undo' as const
    await (type === 'phone'
      ? countUndoText(auth, value)
      : countSend(auth, { identifier: { type, value }, purpose, origin }))
  }
}

/** The number before gets a text, if its owner has proved it. */
export async function countUndoTo(auth: PeopleHeld, userId: string) {
  const row = await readUserRow(auth.db, userId)
  const { phone = null, phoneVerifiedAt = null } = row?.item ?? {}
  if (phone !== null && phoneVerifiedAt !== null) await countUndoText(auth, phone)
}

interface Resending {
  account: LockedAccount
  mail: UserMail
  by: By
}

/** Has a mail sent again. Its link is a new one: that of the mail before is dead. */
export async function resendMail(tx: Tx, auth: PeopleHeld, { account, mail, by }: Resending) {
  await order[mail](tx, auth, account, by.now)
  await recordAudit(tx, { act: 'user.mail_resent', ...entryOf(by, account.userId, { mail }) })
}

type Order = (tx: Tx, auth: PeopleHeld, account: LockedAccount, now: Date) => Promise<void>

const order: Readonly<Record<UserMail, Order>> = {
  async password_reset(tx, auth, { email, userId }, now) {
    const found = email === null ? null : await findResettable(tx, email)
    if (email === null || found?.userId !== userId) throw nothing()
    await orderPasswordReset(tx, auth, { email, now })
  },
  async contact_undo(tx, { linkMail }, { userId }, now) {
    const undos = await findUndoableOf(tx, userId, now)
    if (undos.length === 0) throw nothing()
    for (const { changeId: id } of undos) await linkMail.order(tx, { kind: 'contact_undo', id })
  },
  async factor_removal(tx, { linkMail }, { userId }) {
    const removal = await findWaitingOf(tx, userId)
    if (!removal) throw nothing()
    // Its link would go to a thief, and that of the owner would be dead.
    await refuseUnreachable(tx, removal)
    await linkMail.order(tx, { kind: 'factor_removal', id: removal.removalId })
  },
}

const nothing = () => new ConflictError({ message: 'This account has no such mail to send again.' })
