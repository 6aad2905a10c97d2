import { ConflictError, databaseFailure, type Tx, UnauthorizedError } from '@svc/core'
import {
  changeProfile,
  isUsernameTaken,
  readProfile,
  refuseInactive,
  setLocale,
  setUsername,
} from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller, type Signer } from '../keys/keys.ts'
import type { ProfileChanges, UserProfile } from './contract.ts'
import { UsernameAlreadyTakenError } from './errors.ts'
import {
  isReserved,
  parseUsername,
  readLocale,
  readProfileChanges,
  readUsername,
} from './profile.ts'

/** Changes the given members, all or none. */
export async function updateUserProfile(
  auth: Needs<'db'>,
  { caller, changes }: { caller: Signer; changes: ProfileChanges },
) {
  const { locale, ...others } = readProfileChanges(changes)
  await inTransaction(auth.db, async (tx) => {
    const account = await holdAccount(tx, caller)
    await changeProfile(tx, account, others)
    if (locale !== undefined) await setLocale(tx, account, locale)
  })
  return getUserProfile(auth, caller.userId)
}

export async function getUserProfile({ db }: Needs<'db'>, userId: string): Promise<UserProfile> {
  const found = await readProfile(db, userId)
  if (!found) throw new UnauthorizedError()
  const { publicId, email, username, createdAt, lastLoginAt } = found.account
  const { locale, emailVerifiedAt, phoneVerifiedAt } = found.account
  const { timezone, metadata, userId: _, ...texts } = found.profile
  return {
    userId,
    publicId,
    ...withValue({ email, username }),
    emailVerified: emailVerifiedAt !== null,
    phoneVerified: phoneVerifiedAt !== null,
    createdAt: createdAt.toISOString(),
    ...(lastLoginAt && { lastLoginAt: lastLoginAt.toISOString() }),
    profile: { ...withValue(texts), locale, timezone, metadata },
  }
}

/** The members with a value: the response omits the others. */
function withValue<Name extends string>(texts: Record<Name, string | null>) {
  const present = Object.entries<string | null>(texts).filter(([, text]) => text !== null)
  return Object.fromEntries(present) as Partial<Record<Name, string>> // without those that are null
}

/** Null stands for the default language of every account. */
export async function updateLocale(
  { db }: Needs<'db'>,
  { caller, locale: given }: { caller: Signer; locale: string | null },
) {
  const locale = given === null ? null : readLocale(given)
  return inTransaction(db, async (tx) => ({
    locale: await setLocale(tx, await holdAccount(tx, caller), locale),
  }))
}

interface Request {
  caller: Signer
  username: string | null
  origin: RequestOrigin
}

/** If several users want it at once, the column's index decides, across all processes. */
export async function updateUsername(
  { db, clock, env, limits }: Needs<'db' | 'clock' | 'env' | 'limits'>,
  { caller, username: given, origin }: Request,
) {
  // A taken name is reported here too.
  await limits.take('username check by address', origin.address)
  const username = given === null ? null : readUsername(given, env)
  const at = clock.now()
  try {
    await inTransaction(db, async (tx) => {
      await setUsername(tx, await holdAccount(tx, caller), username)
      const details = { username }
      await recordAudit(tx, { act: 'username.changed', actor: caller.userId, details, origin, at })
    })
  } catch (error) {
    if (databaseFailure(error) instanceof ConflictError) throw new UsernameAlreadyTakenError()
    throw error
  }
  return { username }
}

/**
 * A text that can't be a username, such as an email address, is not available. No account is looked
 * up for it.
 */
export async function checkUsername({ db, env }: Needs<'db' | 'env'>, given: string) {
  const username = parseUsername(given, env)
  if (username === null || isReserved(username, env)) return { available: false }
  return { available: !(await isUsernameTaken(db, username)) }
}

/**
 * Locks the caller's account for the transaction, unless the device or the account was shut out
 * since the request arrived.
 */
export async function holdAccount(tx: Tx, caller: Signer) {
  const account = await lockCaller(tx, caller)
  refuseInactive(account)
  return account
}
