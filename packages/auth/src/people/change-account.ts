import { ConflictError, type Tx } from '@svc/core'
import { demandNewPassword, type LockedAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { beginDeletion, deletionOn, restoreAccount } from '../deletion/deletion.ts'
import { revokeKeyOf } from '../keys/keys.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'
import { type By, entryOf, type PeopleHeld } from './act.ts'

interface Change {
  account: LockedAccount
  by: By
}

/** Ends every key of an account. Answers how many there were. */
export async function signOut(tx: Tx, auth: PeopleHeld, { account, by }: Change) {
  const revocation = { account, spare: null, reason: 'operator', now: by.now }
  const { length: revokedCount } = await signOutEverywhere(tx, auth, revocation)
  const entry = entryOf(by, account.userId, { revokedCount })
  await recordAudit(tx, { act: 'user.signed_out', ...entry })
  return { revokedCount }
}

interface OfDevice extends Change {
  keyId: string
  actor: string
  origin: RequestOrigin
}

/** Ends one, with what it has let in. */
export async function signDeviceOut(tx: Tx, auth: PeopleHeld, { by, ...device }: OfDevice) {
  const { account, keyId } = device
  const { length: revokedCount } = await revokeKeyOf(tx, auth, { ...device, now: by.now })
  const entry = entryOf(by, account.userId, { revokedCount, keyId })
  await recordAudit(tx, { act: 'user.signed_out', ...entry })
  return { revokedCount }
}

export async function demandPassword(tx: Tx, { account, by }: Change) {
  if (!(await demandNewPassword(tx, account))) {
    throw new ConflictError({ message: 'The account has no password.' })
  }
  await recordAudit(tx, { act: 'user.password_required', ...entryOf(by, account.userId) })
}

export async function close(tx: Tx, { db }: PeopleHeld, { account, by }: Change) {
  const closed = await beginDeletion(tx, deletionOn(db), { account, ...by })
  if (closed) return closed
  throw new ConflictError({ message: 'Only an active account can be closed.' })
}

export async function restore(tx: Tx, auth: PeopleHeld, { account, by }: Change) {
  if (await restoreAccount(tx, auth, { account, ...by })) return
  throw new ConflictError({ message: 'No deletion of the account is pending.' })
}
