import type { Tx } from '@svc/core'
import { redactedRecipient } from '@svc/notification'
import {
  type ContactKind,
  dropContactProvedSince,
  findLocale,
  type LockedAccount,
  lockAccount,
  removePassword,
} from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { hashToken } from '../crypto/crypto.ts'
import { contactChangedEvent } from '../events.ts'
import { inTransaction } from '../in-transaction.ts'
import { mintLink } from '../links/links.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'
import { writeContact } from './change-contact.ts'
import type { ContactEnv } from './env.ts'
import { ContactUndoLinkError } from './errors.ts'
import {
  findLive,
  findUndoable,
  issueUndo,
  supersedeNewer,
  supersedeProvedSince,
  undoChange,
  undoHours,
  undoMillis,
} from './store.ts'

type LinkNeeds = Needs<'db' | 'clock'>

/** Shows what the link would do, and changes nothing, because mail scanners open links too. */
export async function confirmContactUndoLink({ db, clock }: LinkNeeds, token: string) {
  const change = await findUndoable(db, { undoHash: hashToken(token), now: clock.now() })
  if (!change) throw new ContactUndoLinkError()
  const { kind, oldValue: restores, expiresAt } = change
  return { kind, restores, expiresAt: expiresAt.toISOString() }
}

type UndoNeeds = LinkNeeds & Needs<'env' | 'appUrl' | 'notifier' | 'log' | 'parts'>

export async function consumeContactUndoLink(
  auth: UndoNeeds,
  token: string,
  origin: RequestOrigin,
) {
  const { db, clock } = auth
  const now = clock.now()
  const presented = { undoHash: hashToken(token), now }
  return inTransaction(db, async (tx) => {
    const found = await findUndoable(tx, presented)
    const account = found && (await lockAccount(tx, found.userId))
    // Of two clicks, only one gets the row.
    const change = account && (await undoChange(tx, presented))
    if (!change) throw new ContactUndoLinkError()
    const { userId: target, kind, oldValue: restores } = change
    const to = { type: kind, value: restores, verifiedAt: change.oldVerifiedAt }
    // Another account may have it by now.
    if (!(await writeContact(tx, auth, { account, to, now }))) throw new ContactUndoLinkError()
    await supersedeNewer(tx, change, now)
    await shutOut(tx, auth, { account, ...change, origin, now })
    const revoked = await signOutEverywhere(tx, auth, {
      account,
      spare: null,
      reason: 'contact_undo',
      now,
    })
    await recordAudit(tx, { act: 'contact.undone', target, details: { kind }, origin, at: now })
    return { kind, restores, revokedCount: revoked.length }
  })
}

interface Undone {
  account: LockedAccount
  kind: ContactKind
  createdAt: Date
  origin: RequestOrigin
  now: Date
}

/**
 * The attacker who changed it knew the password. They may also have put the other contact in place,
 * which signs in by a code, or a passkey. The owner reads the one that is restored: with a code
 * from there they can sign in and set a new password.
 */
async function shutOut(tx: Tx, auth: UndoNeeds, { account, kind, createdAt, origin, now }: Undone) {
  const { userId } = account
  await removePassword(tx, account)
  const other = kind === 'email' ? 'phone' : 'email'
  const since = new Date(createdAt.getTime() - undoMillis)
  await supersedeProvedSince(tx, { userId, kind: other, since, now })
  const isDropped = await dropContactProvedSince(tx, account, { kind: other, since })
  if (isDropped) await contactChangedEvent.emit({ userId, kind: other })
  const reason = 'contact_undo'
  await auth.parts.dropDoubted(tx, { account, since, reason, origin, now })
}

type MailNeeds = Needs<'db' | 'clock' | 'notifier' | 'appUrl'> & { env: ContactEnv }

/** Sends the old address or number the link that takes the change back. */
export async function mailContactUndo(auth: MailNeeds, changeId: string) {
  const { db, clock, env, notifier } = auth
  const now = clock.now()
  const change = await findLive(db, changeId, now)
  if (!change) return
  const { userId, kind, oldValue: to, newValue } = change
  const { url, tokenHash: undoHash } = mintLink(auth, env.SVC_AUTH_CONTACT_UNDO_CONFIRM_PATH)
  if (!(await issueUndo(db, changeId, { undoHash, now }))) return
  const channel = kind === 'email' ? ('mail' as const) : ('sms' as const)
  const facts = {
    kind,
    changedTo: redactedRecipient(channel, newValue),
    url,
    expiresInHours: undoHours,
  }
  const locale = await findLocale(db, userId)
  await notifier.send({ channel, to, locale, template: 'contact-changed', facts })
}
