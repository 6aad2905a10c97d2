import type { Db, Tx } from '@svc/core'
import { lockAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { hashToken } from '../crypto/crypto.ts'
import { checkNewKey } from '../keys/keys.ts'
import { knownBrowserOf } from '../known-browser/known-browser.ts'
import { openAccountWithKey } from '../register/register.ts'
import { findRole, holdRole } from '../roles/roles.ts'
import { InvitationNotFoundError } from './errors.ts'
import { invitationAcceptedEvent } from './events.ts'
import { mayStillGrant } from './grant.ts'
import * as store from './store.ts'

interface AcceptanceBody extends NewDeviceKey {
  token: string
  password: string
}

type AcceptNeeds = Needs<'db' | 'clock' | 'env' | 'passwords' | 'checkPassword' | 'parts'>

/** Opens the account of the invited address, with the offered role: the body contains neither. */
export async function acceptInvitation(
  auth: AcceptNeeds,
  body: AcceptanceBody,
  { origin, locale }: { origin: RequestOrigin; locale: string },
) {
  const { db, clock, passwords } = auth
  const key = checkNewKey(body)
  const hash = hashToken(body.token)
  // A caller without an invitation must not make this server hash.
  const offer = await findOffer(db, { hash, now: clock.now() })
  if (!offer) throw new InvitationNotFoundError()
  const { invitationId, email, role, metadata } = offer.invitation
  const password = await auth.checkPassword(body.password, { email })
  const passwordHash = await passwords.hash(password, origin)
  const now = clock.now()
  return db.transaction(async (tx) => {
    await spend(tx, { invitation: offer.invitation, hash, now })
    const { userId, publicId, knownId } = await openAccountWithKey(tx, auth, {
      identifier: { type: 'email', value: email },
      channel: 'invitation',
      operation: 'acceptInvitation',
      role,
      passwordHash,
      key,
      metadata: metadata ?? undefined,
      locale,
      origin,
      now,
    })
    await store.noteAcceptedBy(tx, invitationId, userId)
    const done = { actor: userId, target: invitationId, details: { role }, origin, at: now }
    await recordAudit(tx, { act: 'invitation.accepted', ...done })
    await invitationAcceptedEvent.emit({ invitationId, userId })
    const known = knownBrowserOf(auth, { userId, knownId, now })
    const answer = { mfaRequired: false, userId, publicId, email, ...known }
    return { ...answer, passwordChangeRequired: false }
  })
}

interface Acceptance extends store.Presented {
  invitation: store.Invitation
}

/**
 * Locks the inviter's account, then the role, then the invitation, so that an earlier suspension is
 * seen.
 */
async function spend(tx: Tx, { invitation, hash, now }: Acceptance) {
  const { invitedBy, role: name } = invitation
  if (invitedBy) await lockAccount(tx, invitedBy)
  const role = await holdRole(tx, name)
  const isGiven = role !== null && (await mayStillGrant(tx, invitedBy, role))
  if (!isGiven || !(await store.accept(tx, { hash, role: name, now }))) {
    throw new InvitationNotFoundError()
  }
}

/**
 * What the page behind the link shows. It changes nothing, because mail scanners open links too.
 */
export async function getInvitation({ db, clock }: Needs<'db' | 'clock'>, token: string) {
  const offer = await findOffer(db, { hash: hashToken(token), now: clock.now() })
  if (!offer) throw new InvitationNotFoundError()
  const { email, expiresAt } = offer.invitation
  const { name, displayName } = offer.role
  return { email, role: name, roleDisplayName: displayName, expiresAt: expiresAt.toISOString() }
}

/** The offer for a presented token, or null if it is not valid. Changes nothing. */
async function findOffer(db: Db, presented: store.Presented) {
  const invitation = await store.findPresented(db, presented)
  const role = invitation && (await findRole(db, invitation.role))
  if (!role || !(await mayStillGrant(db, invitation.invitedBy, role))) return null
  return { invitation, role }
}
