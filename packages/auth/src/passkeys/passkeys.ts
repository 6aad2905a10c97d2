import type { Db, Tx } from '@svc/core'
import { and, eq } from 'drizzle-orm'
import type { FreshAccount, LockedAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Author } from '../caller/caller.ts'
import { passkeyRevokedEvent } from '../events.ts'
import { settleFactors } from '../factors/factors.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'
import { waysIn } from '../sign-in/sign-in.ts'
import type { AuthenticationResponse } from '../webauthn/fields.ts'
import { checkAssertion, isSoundKey, userHandleOf } from '../webauthn/webauthn.ts'
import { askForAssertion, takeChallenge } from './challenge.ts'
import type { PasskeyItem } from './contract.ts'
import {
  LastRecoveryCredentialError,
  PasskeyNotFoundError,
  PasskeyVerificationError,
} from './errors.ts'
import { passkeys } from './schema.ts'
import {
  type ChallengeOwner,
  deleteMadeSince,
  deletePasskey,
  findByCredential,
  noteAssertion,
  own,
  type PasskeyRow,
  passkeysOf,
} from './store.ts'

export { askForAssertion } from './challenge.ts'
export { relatedOriginsRouter } from './related-origins.ts'

/** A passkey from before keys were checked may have an invalid one: it can only be listed and removed. */
function canSign({ publicKey }: Pick<PasskeyRow, 'publicKey'>) {
  return isSoundKey(Buffer.from(publicKey, 'base64url'))
}

export async function listPasskeys(db: Db, userId: string) {
  const rows = await passkeysOf(db, userId)
  return { passkeys: rows.map(passkeyItem) }
}

/** What a passkey's owner is shown: nothing that identifies or verifies it for an authenticator. */
export function passkeyItem(passkey: PasskeyRow): PasskeyItem {
  return {
    passkeyId: passkey.passkeyId,
    ...(passkey.label && { label: passkey.label }),
    deviceType: passkey.deviceType,
    backedUp: passkey.backedUp,
    transports: passkey.transports,
    secondFactor: passkey.secondFactor,
    createdAtMillis: passkey.createdAt.getTime(),
    ...(passkey.lastUsedAt && { lastUsedAtMillis: passkey.lastUsedAt.getTime() }),
  }
}

/** The passkeys of an account that are a way in. */
export async function signingPasskeysOf(db: Db, userId: string) {
  return (await passkeysOf(db, userId)).filter(canSign)
}

const marked = (userId: string) => and(eq(passkeys.userId, userId), eq(passkeys.secondFactor, true))

/** The passkeys of an account that count as its second factor. */
export async function markedPasskeysOf(db: Db, userId: string) {
  return (await db.select().from(passkeys).where(marked(userId))).filter(canSign)
}

interface Mark {
  passkeyId: string
  secondFactor: boolean
}

/**
 * Whether this call changed it; null if the account has no such passkey, or none that could prove
 * anything.
 */
export async function markPasskey(
  tx: Tx,
  { userId }: FreshAccount,
  { secondFactor, passkeyId }: Mark,
) {
  const passkey = { userId, passkeyId }
  const [found] = await tx.select().from(passkeys).where(own(passkey))
  if (!found || (secondFactor && !canSign(found))) return null
  const changed = await tx
    .update(passkeys)
    .set({ secondFactor })
    .where(and(own(passkey), eq(passkeys.secondFactor, !secondFactor)))
    .returning({ passkeyId: passkeys.passkeyId })
  return changed.length > 0
}

/** False if none was marked. They still sign in. */
export async function unmarkPasskeysOf(tx: Tx, userId: string) {
  const unmarked = await tx
    .update(passkeys)
    .set({ secondFactor: false })
    .where(marked(userId))
    .returning({ passkeyId: passkeys.passkeyId })
  return unmarked.length > 0
}

export async function hasPasskey(db: Db, userId: string) {
  return (await signingPasskeysOf(db, userId)).length > 0
}

/**
 * The options for an authenticator that must hold a passkey of this account; null if the account
 * has none.
 */
export async function askForOwnPasskey(
  db: Db,
  auth: Needs<'clock' | 'env' | 'relyingParty'>,
  owner: ChallengeOwner & { userId: string },
) {
  const allow = await signingPasskeysOf(db, owner.userId)
  return allow.length > 0 ? askForAssertion(db, auth, { ...owner, allow }) : null
}

/** A passkey that has signed for this, once `notePasskey` has accepted it. */
export type CheckedPasskey = Awaited<ReturnType<typeof checkPasskey>>

/**
 * Checks what an authenticator has signed. The challenge is spent in any case. A passkey that is
 * unknown, another account's or a clone gets the same refusal.
 */
export async function checkPasskey(
  db: Db,
  auth: Needs<'clock' | 'relyingParty'>,
  given: ChallengeOwner & { response: AuthenticationResponse },
) {
  const { response, userId } = given
  const challenge = await takeChallenge(db, auth, given)
  const passkey = await findByCredential(db, response.id)
  if (!passkey || (userId !== null && passkey.userId !== userId)) {
    throw new PasskeyVerificationError()
  }
  const assertion = await checkAssertion(auth.relyingParty, {
    response,
    challenge,
    passkey,
    userHandle: userHandleOf(passkey.userId),
    isDiscoverable: userId === null,
  })
  if (!assertion) throw new PasskeyVerificationError()
  return { ...passkey, ...assertion }
}

/**
 * Accepts a checked passkey, under the lock of its account, and returns it as it is by then. Of two
 * with one counter, the second is a clone's.
 */
export async function notePasskey(tx: Tx, checked: CheckedPasskey, now: Date) {
  const { passkeyId, newCounter: counter, backedUp } = checked
  const noted = await noteAssertion(tx, { passkeyId, counter, backedUp, now })
  if (!noted) throw new PasskeyVerificationError()
  return noted
}

/**
 * An authenticator that has verified its user counts for two factors: the device itself, and the
 * PIN or the biometric.
 */
export function worthOf({
  secondFactor,
  isUserVerified,
}: Pick<CheckedPasskey, 'secondFactor' | 'isUserVerified'>) {
  if (secondFactor) return { secondFactor: 'proved' as const }
  return isUserVerified ? { secondFactor: 'waived' as const } : {}
}

interface Removal extends Author {
  account: LockedAccount
  passkeyId: string
  now: Date
}

/**
 * Removes a passkey from an account that this transaction has locked, unless it is the last way
 * into it.
 */
export async function removePasskey(
  tx: Tx,
  auth: GoneNeeds,
  { account, passkeyId, now, ...author }: Removal,
) {
  const { userId } = account
  const passkey = await deletePasskey(tx, { userId, passkeyId })
  if (!passkey) throw new PasskeyNotFoundError()
  // Counted without it, under the account's lock: of the last two, one stays.
  if (canSign(passkey) && (await waysIn(tx, auth, account)) === 0)
    throw new LastRecoveryCredentialError()
  await passkeysGone(tx, auth, { account, gone: [passkey], ...author, now })
  const { label } = passkey
  const facts = { label: label ?? undefined, at: now.toISOString(), url: securityPage(auth) }
  await sendNotice(tx, auth, { userId, template: 'passkey-removed', facts })
}

type Dropping = Omit<Gone, 'gone'> & { since: Date }

/**
 * Removes every passkey that was added to an account at that moment or later: an attacker may hold
 * it.
 */
export async function dropPasskeysSince(tx: Tx, auth: GoneNeeds, { since, ...dropping }: Dropping) {
  const gone = await deleteMadeSince(tx, { userId: dropping.account.userId, since })
  await passkeysGone(tx, auth, { ...dropping, gone })
}

interface Gone extends Author {
  account: LockedAccount
  gone: readonly PasskeyRow[]
  now: Date
}

type GoneNeeds = Needs<'env' | 'appUrl' | 'notifier' | 'log' | 'parts'>

/**
 * Runs after passkeys were removed, in the same transaction: the trail, the event, and the second
 * factor.
 */
async function passkeysGone(tx: Tx, auth: GoneNeeds, { gone, ...settling }: Gone) {
  const { account, actor = null, now: at } = settling
  const { userId } = account
  const origin = settling.origin && { origin: settling.origin }
  for (const { passkeyId } of gone) {
    await recordAudit(tx, { act: 'passkey.revoked', actor, target: passkeyId, ...origin, at })
    await passkeyRevokedEvent.emit({ userId, passkeyId })
  }
  if (!gone.some(({ secondFactor }) => secondFactor)) return
  const isMethod = (await markedPasskeysOf(tx, userId)).length > 0
  await settleFactors(tx, auth, { ...settling, removed: isMethod ? [] : ['passkey'] })
}
