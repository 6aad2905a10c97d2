import { createHash } from 'node:crypto'
import type { Db } from '@svc/core'
import { findHolders, type Holder } from '../accounts/accounts.ts'
import { findLinked } from '../social/social.ts'
import type { ImportedUser, RefusalReason } from './imported-user.ts'

/** Whether a person can be imported. An account that exists already is never changed by a row. */
type Place =
  | { state: 'free'; isUsernameTaken: boolean }
  | { state: 'exists'; userId: string }
  | { state: 'refused'; reason: RefusalReason }

interface Comer {
  user: ImportedUser
  /** The user's id, if the other system's id gives it. */
  userId: string | undefined
}

export async function findPlace(db: Db, rehearsal: Rehearsal, comer: Comer): Promise<Place> {
  const { user, userId } = comer
  const named = await findHolders(db, { userId, ...namesOf(user) })
  const holders = [...named, ...rehearsal.holdersOf(userId, user)]
  const before = holders.find((holder) => holder.userId === userId)
  // Two systems may give two people one id, and a person may have another address by now. An
  // operator must decide.
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

/** The account that has the address or, without an address, the number. */
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

export type Rehearsal = ReturnType<typeof createRehearsal>

/**
 * The accounts that a dry run has opened and rolled back, because later rows must find them. A run
 * that commits finds them in the tables, and stores nothing here.
 */
export function createRehearsal() {
  const byName = new Map<string, Holder>()

  return {
    remember(userId: string, user: ImportedUser) {
      const { email = null, phone = null, username = null } = user
      const holder = { userId, email, phone, username }
      for (const name of namesHeldBy(userId, user)) byName.set(name, holder)
    },
    holdersOf(userId: string | undefined, user: ImportedUser): Holder[] {
      const found = namesHeldBy(userId, user).map((name) => byName.get(name))
      return [...new Set(found)].filter((holder) => holder !== undefined)
    },
    linkedTo: (provider: string, id: string) => byName.get(linkName(provider, id))?.userId ?? null,
  }
}

const linkName = (provider: string, id: string) => `${provider} ${id}`

function namesHeldBy(
  userId: string | undefined,
  { email, phone, username, accounts }: ImportedUser,
) {
  return [
    ...(userId === undefined ? [] : [`id ${userId}`]),
    ...(email === undefined ? [] : [`email ${email}`]),
    ...(phone === undefined ? [] : [`phone ${phone}`]),
    ...(username === undefined ? [] : [`username ${username}`]),
    ...accounts.map(({ provider, id }) => linkName(provider, id)),
  ]
}

/**
 * The id of an imported account. It is the same in every run, so that a second import finds the
 * first one, and an operator with the old ids can compute the new ones. It is a UUID of version 8
 * (RFC 9562).
 */
export function importedUserId(source: string, externalId: string) {
  const hash = createHash('sha256').update(JSON.stringify(['svc users import', source, externalId]))
  const hex = hash.digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return parts.join('-')
}
