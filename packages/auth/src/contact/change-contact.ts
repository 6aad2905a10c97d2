import { ConflictError, databaseFailure, type Tx } from '@svc/core'
import { redactedRecipient } from '@svc/notification'
import {
  type Identifier,
  type LockedAccount,
  raiseGeneration,
  readContact,
  setContact,
} from '../accounts/accounts.ts'
import { AccountAlreadyExistsError, InvalidCredentialsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Author, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { checkVerificationToken, forgetCodesOf, spendVerificationToken } from '../codes/codes.ts'
import { contactChangedEvent } from '../events.ts'
import { checkCurrentPassword, lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { endLinksOf } from '../links/links.ts'
import { sendNotice } from '../notices/notices.ts'
import { countUndoText } from '../sends/sends.ts'
import { recordChange } from './store.ts'

interface Change {
  caller: FreshCaller
  to: Identifier
  verificationToken: string
  /** Required if the account has a password. */
  currentPassword?: string | undefined
  origin: RequestOrigin
}

type ChangeNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'linkMail' | 'notifier' | 'log' | 'parts'
>

/** Sets another address or number. If it is the current one, this succeeds and writes nothing. */
export async function changeContact(auth: ChangeNeeds, change: Change) {
  const { db, clock, limits } = auth
  const { caller, to, verificationToken, currentPassword, origin } = change
  await limits.take('contact change by address', origin.address)
  await limits.take('contact change by account', caller.userId)
  const proof = {
    token: verificationToken,
    purpose: `${to.type}_change` as const,
    identifier: to,
  }
  // A caller without a valid token must not make this server hash.
  await checkVerificationToken(auth, { ...proof, now: clock.now() })
  const refusal = { act: 'contact.changed' as const, details: { kind: to.type } }
  await checkCurrentPassword(auth, { caller, currentPassword, refusal, origin })
  await countUndo(auth, change)
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const account = await lockFresh(tx, caller)
    const from = await readContact(tx, account, to.type)
    if (from.value === to.value && from.verifiedAt) return
    // Another change, or a revocation, was faster than the hashing.
    if (account.generation !== caller.generation) throw new InvalidCredentialsError()
    await spendVerificationToken(tx, auth, { ...proof, now })
    await replace(tx, auth, { account, from, to, now })
    await recordAudit(tx, { ...refusal, actor: caller.userId, origin, at: now })
  })
  return to.value
}

/** The code for the new number was counted for that one, and not for the number before, which gets a text too. */
async function countUndo(auth: Needs<'limits'>, { caller, to }: Change) {
  const { phone, phoneVerifiedAt } = caller.user
  const isReplaced = to.type === 'phone' && phone !== null && phone !== to.value
  if (isReplaced && phoneVerifiedAt) await countUndoText(auth, phone)
}

interface Setting extends Author {
  account: LockedAccount
  to: Identifier
  reason: string
  now: Date
}

type SetNeeds = Needs<'linkMail' | 'notifier' | 'log' | 'parts'>

/**
 * Sets an address or number for which someone other than its owner vouches, such as an operator: it
 * counts as proved. The old one can undo the change, as after a change by the owner. False if it
 * was set already.
 */
export async function setVerifiedContact(tx: Tx, auth: SetNeeds, setting: Setting) {
  const { account, to, reason, now, ...author } = setting
  const { userId } = account
  const { type: kind, value } = to
  const from = await readContact(tx, account, kind)
  if (from.value === value && from.verifiedAt) return false
  await replace(tx, auth, { account, from, to, now })
  const entry = { ...author, target: userId, details: { kind, reason }, at: now }
  await recordAudit(tx, { act: 'contact.changed', ...entry })
  // The mail finds the new address by then.
  if (kind === 'email' || from.verifiedAt) await tellOfNew(tx, auth, { userId, to, now })
  return true
}

interface Replacement {
  account: LockedAccount
  from: Awaited<ReturnType<typeof readContact>>
  to: Identifier
  now: Date
}

async function replace(tx: Tx, auth: SetNeeds, { account, from, to, now }: Replacement) {
  const { userId } = account
  const isFree = await writeContact(tx, auth, { account, to: { ...to, verifiedAt: now }, now })
  if (!isFree) throw new AccountAlreadyExistsError()
  // From the commit on, a sign-in in progress with the old one opens nothing, nor does a link that
  // is being mailed to it.
  await raiseGeneration(tx, account)
  // An unproved address may belong to another person, who must not get the account.
  if (from.value === null || from.verifiedAt === null) {
    // An attacker's number would still sign in after the owner has set another password, so the
    // owner gets a mail about it.
    return to.type === 'phone' ? tellOfNew(tx, auth, { userId, to, now }) : undefined
  }
  const id = await recordChange(tx, {
    userId,
    kind: to.type,
    oldValue: from.value,
    oldVerifiedAt: from.verifiedAt,
    newValue: to.value,
    now,
  })
  await auth.linkMail.order(tx, { kind: 'contact_undo', id })
}

/** Mails the address that the account has from now on. */
async function tellOfNew(
  tx: Tx,
  auth: SetNeeds,
  { userId, to, now }: { userId: string; to: Identifier; now: Date },
) {
  const { type: kind, value } = to
  const added = redactedRecipient(kind === 'email' ? 'mail' : 'sms', value)
  const facts = { kind, added, at: now.toISOString() }
  await sendNotice(tx, auth, { userId, template: 'contact-added', facts })
}

interface Write {
  account: LockedAccount
  to: Identifier & { verifiedAt: Date | null }
  now: Date
}

/**
 * Writes another address or number, and ends what was sent to the old one. False if another account
 * has it.
 */
export async function writeContact(tx: Tx, { parts }: Needs<'parts'>, { account, to, now }: Write) {
  const { type, value } = to
  const { userId } = account
  const { value: from } = await readContact(tx, account, type)
  // Locks links before the account, in the same order as a call that spends a link.
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
