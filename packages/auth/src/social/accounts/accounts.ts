import type { Tx } from '@svc/core'
import {
  findAccount,
  type LockedAccount,
  lockAccount,
  refuseInactive,
} from '../../accounts/accounts.ts'
import { AccountAlreadyExistsError, AccountDisabledError } from '../../accounts/errors.ts'
import { inTransaction } from '../../in-transaction.ts'
import { type Signer, stillSigns } from '../../keys/keys.ts'
import { openAccount } from '../../register/register.ts'
import {
  AnotherSocialAccountLinkedError,
  SocialAccountAlreadyLinkedError,
  UnverifiedEmailLinkError,
} from '../errors.ts'
import type { SocialNeeds } from '../held.ts'
import { type Arrival, addressOf, backfillEmail, link } from './arrival.ts'
import { findByIdentity, findOfProvider, noteUse } from './store.ts'

export type { Arrival } from './arrival.ts'
export { type RenewalNeeds, renewAccessToken } from './renew-access-token.ts'
export { socialAccounts } from './schema.ts'
export {
  countLinked,
  deleteLink,
  deleteLinksOf,
  dropTokens,
  exportSocialAccounts,
  findByIdentity,
  findLinked,
  findOfProvider,
  importLink,
  type SocialAccountRow,
  socialAccountsOf,
} from './store.ts'
export { findFreshToken, keepTokens, ringKeysOfTokens, type Wanted } from './tokens.ts'

type ArrivalNeeds = SocialNeeds<'db' | 'env' | 'appUrl' | 'notifier' | 'log' | 'parts'>

interface SignedIn {
  readonly account: LockedAccount
  readonly isNewUser: boolean
}

/** Another request has linked, or taken the address, between our look and our write. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError'
}

const mostTries = 3

/**
 * Finds the account of a user who comes from a provider: the one that is linked, the one that has
 * the address if both sides have proved it, or a new one. All in one transaction with what is done
 * then.
 */
export async function signInFrom<Result>(
  auth: ArrivalNeeds,
  arrival: Arrival,
  then: (tx: Tx, found: SignedIn) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await auth.db.transaction(async (tx) => then(tx, await accountOf(tx, auth, arrival)))
    } catch (error) {
      // A second look finds the faster one.
      const isOvertaken =
        error instanceof OvertakenError || error instanceof AccountAlreadyExistsError
      if (!isOvertaken || tries === mostTries) throw error
    }
  }
}

async function accountOf(tx: Tx, auth: ArrivalNeeds, arrival: Arrival): Promise<SignedIn> {
  const linked = await findLinkedAccount(tx, arrival)
  if (linked) {
    refuseInactive(linked)
    await backfillEmail(tx, linked, arrival)
    await noteUse(tx, elsewhereOf(arrival), arrival)
    return { account: linked, isNewUser: false }
  }
  const account = (await findByAddress(tx, arrival)) ?? (await open(tx, auth, arrival))
  const isNewUser = account.isNew
  if (!(await link(tx, auth, { account: account.locked, arrival, isNewUser }))) {
    throw new OvertakenError()
  }
  return { account: account.locked, isNewUser }
}

const elsewhereOf = ({ provider, identity }: Arrival) => ({
  provider,
  providerUserId: identity.providerUserId,
})

async function findLinkedAccount(tx: Tx, arrival: Arrival) {
  const elsewhere = elsewhereOf(arrival)
  const found = await findByIdentity(tx, elsewhere)
  const account = found && (await lockAccount(tx, found.userId))
  if (!account) return null
  // It may have been removed while we waited for the account.
  const still = await findByIdentity(tx, elsewhere)
  if (still?.userId !== account.userId) throw new OvertakenError()
  return account
}

/**
 * An address gives access to an account only if both its owner here and the provider have proved it
 * (attack 17).
 */
async function findByAddress(tx: Tx, { provider, identity }: Arrival) {
  const email = addressOf(identity)
  const found = email === null ? null : await findAccount(tx, { type: 'email', value: email })
  const locked = found && (await lockAccount(tx, found.userId))
  if (!locked) return null
  if (locked.email !== email) throw new OvertakenError()
  const isProved = identity.isEmailVerified && locked.emailVerifiedAt !== null
  const linked = await findOfProvider(tx, locked.userId, provider)
  // Another device of the user was faster, while we waited for the account.
  if (linked?.providerUserId === identity.providerUserId) throw new OvertakenError()
  if (!isProved) throw new UnverifiedEmailLinkError()
  // The provider may have given the address of its first owner to another user.
  if (linked) throw new AnotherSocialAccountLinkedError()
  refuseInactive(locked)
  return { locked, isNew: false }
}

async function open(tx: Tx, auth: ArrivalNeeds, arrival: Arrival) {
  const { provider, identity, channel, metadata, locale, origin, now } = arrival
  const email = addressOf(identity)
  const locked = await openAccount(tx, auth, {
    // An unproved one would keep its real owner from using it.
    identifier: email !== null && identity.isEmailVerified ? { type: 'email', value: email } : null,
    channel,
    provider,
    claimed: { email, isVerified: identity.isEmailVerified },
    displayName: identity.name,
    role: 'user',
    passwordHash: null,
    metadata,
    locale,
    origin,
    now,
  })
  return { locked, isNew: true }
}

/** The signer that has asked to link a provider: the key, and what it had stepped up to. */
export interface LinkAsker extends Signer {
  readonly secondFactorSinceMillis: number | null
}

/** Links a provider to the account that has asked for it, if it could still ask for it. */
export async function linkTo(auth: ArrivalNeeds, asker: LinkAsker, arrival: Arrival) {
  const { userId } = asker
  const elsewhere = { provider: arrival.provider, providerUserId: arrival.identity.providerUserId }
  await inTransaction(auth.db, async (tx) => {
    const account = await lockAccount(tx, userId)
    if (!account || !(await mayStillAsk(tx, account, asker))) throw new AccountDisabledError()
    refuseInactive(account)
    const linked = await findByIdentity(tx, elsewhere)
    if (linked?.userId === userId) return noteUse(tx, elsewhere, arrival)
    const isLinked = await link(tx, auth, { account, arrival, isNewUser: false })
    if (!isLinked) throw new SocialAccountAlreadyLinkedError()
  })
}

/**
 * Not if the key was signed out since, there or everywhere, nor if a second factor was added since.
 */
async function mayStillAsk(tx: Tx, account: LockedAccount, asker: LinkAsker) {
  const { generation, secondFactorSince } = account
  const sinceMillis = secondFactorSince?.getTime() ?? null
  if (generation !== asker.generation || sinceMillis !== asker.secondFactorSinceMillis) return false
  return stillSigns(tx, account, asker)
}
