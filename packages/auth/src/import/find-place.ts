import type { Db } from '@svc/core'
import { findHolders, type Holder } from '../accounts/find-holders.ts'
import { findLinked } from '../social/accounts/import-link.ts'
import type { ImportedUser, RefusalReason } from './imported-user.ts'
import type { Rehearsal } from './rehearsal.ts'

/** Whether somebody may come in: nobody who is here is touched, whatever a row says of them. */
type Place =
  | { state: 'free'; isUsernameTaken: boolean }
  | { state: 'exists'; userId: string }
  | { state: 'refused'; reason: RefusalReason }

interface Comer {
  user: ImportedUser
  /** Where the other system's id says who it is. */
  userId: string | undefined
}

export async function findPlace(db: Db, rehearsal: Rehearsal, comer: Comer): Promise<Place> {
  const { user, userId } = comer
  const named = await findHolders(db, { userId, ...namesOf(user) })
  const holders = [...named, ...rehearsal.holdersOf(userId, user)]
  const before = holders.find((holder) => holder.userId === userId)
  // Two systems may call two people by one id, and somebody may have another address by now: a person has to look.
  if (before && !isSame(before, user)) return { state: 'refused', reason: 'id_taken' }
  const linked = await linkedAccounts(db, rehearsal, user)
  const same = before?.userId ?? ownerOf(holders, user) ?? (hasAddress(user) ? null : linked[0])
  if (same) return { state: 'exists', userId: same }
  if (linked.length > 0) return { state: 'refused', reason: 'account_taken' }
  if (user.phone !== undefined && holders.some(({ phone }) => phone === user.phone)) {
    return { state: 'refused', reason: 'phone_taken' }
  }
  return { state: 'free', isUsernameTaken: holders.length > 0 }
}

function namesOf({ email, phone, username }: ImportedUser) {
  return { email, phone, username }
}

/** Whose the address is; where there is none, the number. */
function ownerOf(holders: readonly Holder[], { email, phone }: ImportedUser) {
  const isOwner = (holder: Holder) =>
    email === undefined ? phone !== undefined && holder.phone === phone : holder.email === email
  return holders.find(isOwner)?.userId ?? null
}

function isSame(holder: Holder, user: ImportedUser) {
  return !hasAddress(user) || ownerOf([holder], user) !== null
}

function hasAddress({ email, phone }: ImportedUser) {
  return email !== undefined || phone !== undefined
}

async function linkedAccounts(db: Db, rehearsal: Rehearsal, { accounts }: ImportedUser) {
  const owners: string[] = []
  for (const { provider, id } of accounts) {
    const elsewhere = { provider, providerUserId: id }
    const owner = rehearsal.linkedTo(provider, id) ?? (await findLinked(db, elsewhere))
    if (owner !== null) owners.push(owner)
  }
  return owners
}
