import { findAccount } from '../accounts/find-account.ts'
import type { Identifier } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import { isKeyOf } from '../keys/is-key-of.ts'
import type { CheckedKey } from '../keys/register-key.ts'
import type { PlacedHasher } from '../passwords/password-hasher.ts'
import { provePassword } from './prove-password.ts'

export interface PasswordTry {
  identifier: Identifier
  password: string
  placed: PlacedHasher
  /** Of the device that asks, where it brings one. */
  key?: CheckedKey
}

/**
 * Whether the password is the account's. Each try counts against the one limit of the account, whichever operation it
 * is made at.
 */
export async function tryPassword(
  auth: Needs<'db' | 'limits' | 'passwords' | 'log'>,
  { identifier, password, placed, key }: PasswordTry,
) {
  const account = await findAccount(auth.db, identifier)
  await limitAccount(auth, { identifier, key, userId: account?.userId })
  // Also for nobody at all: an unknown address must cost what a wrong password costs.
  const matches = await provePassword(auth, { account, password, hasher: placed })
  if (account && matches) return { isRight: true as const, account }
  return { isRight: false as const, account }
}

const nobody = '00000000-0000-0000-0000-000000000000'

interface Limited {
  identifier: Identifier
  key: CheckedKey | undefined
  userId: string | undefined
}

/** Whoever guesses at an account must not lock its owner's own devices out. */
async function limitAccount(
  { db, limits }: Needs<'db' | 'limits'>,
  { identifier, key, userId }: Limited,
) {
  // Asked for nobody too, so that it takes as long.
  const known = key !== undefined && (await isKeyOf(db, key, userId ?? nobody))
  const subject = known ? `${identifier.value} ${key.keyId}` : identifier.value
  await limits.take('login by account', subject)
}
