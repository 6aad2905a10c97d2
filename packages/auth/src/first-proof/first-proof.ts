import type { Tx } from '@svc/core'
import {
  type ContactKind,
  type Identifier,
  type LockedAccount,
  lockAccount,
  readContact,
  refuseInactive,
  removePassword,
  stampVerified,
} from '../accounts/accounts.ts'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'

// An import, or an operator who sets a password, opens accounts with an address or number that was
// never proved. Someone else may have entered it, and may have signed in since then.

interface Read {
  userId: string
  /** The account's generation when the code was sent. */
  generation: number
  /** The user has just read a code that went there. */
  identifier: Identifier
  origin: RequestOrigin
  now: Date
}

/**
 * Makes the reader of an address or number that was never proved the owner of its account: all that
 * could sign in before ends. Returns the account's generation from then on.
 */
export async function ownByFirstProof(
  tx: Tx,
  auth: Needs<'parts'>,
  { userId, generation, identifier, origin, now }: Read,
) {
  const { type: kind, value } = identifier
  const account = await lockAccount(tx, userId)
  if (!account || account.generation !== generation) throw new InvalidCredentialsError()
  refuseInactive(account)
  const contact = await readContact(tx, account, kind)
  if (contact.value !== value || (await hasOwner(tx, auth, account)))
    throw new InvalidCredentialsError()
  await stampVerified(tx, account, { kind, now })
  await shutOut(tx, auth, { account, kind, origin, now })
  await removePassword(tx, account)
  await signOutEverywhere(tx, auth, { account, spare: null, reason: 'first_proof', now })
  return generation + 1
}

/**
 * An owner has proved another address or number, or has no password and so came from elsewhere, for
 * example from a provider. The reader of the unproved one is a different user.
 */
async function hasOwner(tx: Tx, { parts }: Needs<'parts'>, account: LockedAccount) {
  for (const kind of ['email', 'phone'] as const) {
    if ((await readContact(tx, account, kind)).verifiedAt) return true
  }
  return account.passwordHash === null && (await parts.waysIn(tx, account)) > 0
}

interface Proved {
  account: LockedAccount
  kind: ContactKind
  origin: RequestOrigin
  now: Date
}

/**
 * Marks an address or number as proved. If the account had no owner until then, the passkeys, second
 * factors and linked accounts of before are removed: an owner's second factor must not go by a mail
 * to an address that they never proved. The caller replaces the password, and signs out everywhere.
 */
export async function noteFirstProof(tx: Tx, auth: Needs<'parts'>, proved: Proved) {
  const { account, kind, now } = proved
  const isOwned = await hasOwner(tx, auth, account)
  const isFirst = await stampVerified(tx, account, { kind, now })
  if (isFirst && !isOwned) await shutOut(tx, auth, proved)
}

async function shutOut(tx: Tx, { parts }: Needs<'parts'>, { account, kind, origin, now }: Proved) {
  const { userId: actor } = account
  const since = new Date(0)
  await parts.dropDoubted(tx, { account, since, reason: 'first_proof', actor, origin, now })
  const entry = { actor, target: actor, details: { kind }, origin, at: now }
  await recordAudit(tx, { act: 'contact.proved', ...entry })
}
