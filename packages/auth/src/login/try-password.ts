import { findAccount } from '../accounts/find-account.ts'
import type { Identifier } from '../accounts/identifier.ts'
import { withAddress } from '../address-subject.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { CheckedKey } from '../capability/ways.ts'
import { provePassword } from '../fresh-proof/prove-password.ts'
import { isKeyOf } from '../keys/is-key-of.ts'
import { findKnownBrowser } from '../known-browser/find-known-browser.ts'
import type { PlacedHasher } from '../passwords/password-hasher.ts'

export interface PasswordTry {
  identifier: Identifier
  password: string
  placed: PlacedHasher
  /** Of the device that asks, where it brings one. */
  key?: CheckedKey
  origin: RequestOrigin
}

/**
 * Whether the password is the account's. Tries at all operations count against the same limits.
 */
export async function tryPassword(
  auth: Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'log'>,
  { identifier, password, placed, key, origin }: PasswordTry,
) {
  const account = await findAccount(auth.db, identifier)
  await limitAccount(auth, { identifier, key, userId: account?.userId, origin })
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
  origin: RequestOrigin
}

type LimitNeeds = Needs<'db' | 'clock' | 'env' | 'limits'>

/** Guesses of strangers must not lock out the owner's devices, or a browser in which the owner has signed in before. */
async function limitAccount(auth: LimitNeeds, limited: Limited) {
  const { limits } = auth
  const { identifier, origin } = limited
  const known = (await deviceOf(auth, limited)) ?? (await findKnownBrowser(auth, limited))
  if (known !== null) return limits.take('login by known browser', known)
  const { value } = identifier
  // A try that is refused here does not count in the hour of all strangers.
  await limits.take('login by account and address', withAddress(value, origin.address))
  await limits.take('logins in an hour by account', value)
}

async function deviceOf({ db }: Needs<'db'>, { key, userId = nobody }: Limited) {
  // Asked for nobody too, so that it takes as long.
  return key !== undefined && (await isKeyOf(db, key, userId)) ? `key ${key.keyId}` : null
}
