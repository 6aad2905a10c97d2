import { ValidationError } from '@svc/core'
import { findAccount, type Identifier, readIdentifier } from '../accounts/accounts.ts'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey } from '../capability/capability.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { spendVerificationToken } from '../codes/codes.ts'
import { ownByFirstProof } from '../first-proof/first-proof.ts'
import { provePassword } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { checkNewKey, isKeyOf } from '../keys/keys.ts'
import { findKnownBrowser } from '../known-browser/known-browser.ts'
import type { PlacedHasher } from '../passwords/passwords.ts'
import { completeSignIn } from '../sign-in/sign-in.ts'
import { withAddress } from '../with-address.ts'

interface LoginBody extends NewDeviceKey, Credential {
  email?: string | undefined
  phone?: string | undefined
}

type LoginNeeds = Needs<
  'db' | 'clock' | 'limits' | 'passwords' | 'env' | 'log' | 'notifier' | 'parts'
>

/** Signs in with a password, or with the token that a one-time code was exchanged for. */
export async function login(auth: LoginNeeds, body: LoginBody, origin: RequestOrigin) {
  const identifier = readIdentifier(body)
  const { password, verificationToken } = body
  const attempt = () => ({ identifier, key: checkNewKey(body), origin })
  return byCredential(
    auth,
    { password, verificationToken, origin },
    {
      byPassword: async (given, placed) =>
        loginByPassword(auth, { ...attempt(), password: given, placed }),
      byToken: async (given) => loginByCode(auth, { ...attempt(), verificationToken: given }),
    },
  )
}

interface Attempt {
  identifier: Identifier
  key: CheckedKey
  origin: RequestOrigin
}

type PasswordAttempt = Attempt & { password: string; placed: PlacedHasher }

async function loginByPassword(auth: LoginNeeds, attempt: PasswordAttempt) {
  const { db, clock } = auth
  const { origin } = attempt
  const { isRight, account } = await tryPassword(auth, attempt)
  if (!isRight || account.status !== 'active') {
    const target = account?.userId ?? null
    await recordAudit(db, { act: 'login', outcome: 'refused', target, origin, at: clock.now() })
  }
  if (!isRight) throw new InvalidCredentialsError()
  return inTransaction(db, (tx) =>
    completeSignIn(tx, auth, { ...account, ...signInOf(attempt, 'password'), now: clock.now() }),
  )
}

function signInOf({ identifier, key, origin }: Attempt, way: 'password' | 'code') {
  return { key, origin, provider: identifier.type, way, channel: 'login' }
}

async function loginByCode(auth: LoginNeeds, attempt: Attempt & { verificationToken: string }) {
  const { identifier, verificationToken } = attempt
  const now = auth.clock.now()
  return inTransaction(auth.db, async (tx) => {
    // Spent before the account is even looked up: only the owner of the address gets this far.
    const { generation } = await spendVerificationToken(tx, auth, {
      token: verificationToken,
      purpose: 'login',
      identifier,
      now,
    })
    const account = await findAccount(tx, identifier)
    if (!account) throw new InvalidCredentialsError()
    const { userId } = account
    const signIn = { userId, generation, ...signInOf(attempt, 'code'), now }
    if (account.verifiedAt) return completeSignIn(tx, auth, signIn)
    const proof = { userId, generation, identifier, origin: attempt.origin, now }
    const raised = await ownByFirstProof(tx, auth, proof)
    return completeSignIn(tx, auth, { ...signIn, generation: raised })
  })
}

export interface Credential {
  password?: string | undefined
  verificationToken?: string | undefined
}

interface Ways<Result> {
  byPassword: (password: string, placed: PlacedHasher) => Promise<Result>
  byToken: (verificationToken: string) => Promise<Result>
}

/** Continues with the one of the two that was given. */
export async function byCredential<Result>(
  { passwords }: Needs<'passwords'>,
  { password, verificationToken, origin }: Credential & { origin: RequestOrigin },
  { byPassword, byToken }: Ways<Result>,
): Promise<Result> {
  if (password !== undefined && verificationToken === undefined) {
    // Before the account is looked up: otherwise a flood would take the database away from signed requests.
    return passwords.withPlace(origin, (placed) => byPassword(password, placed))
  }
  if (verificationToken !== undefined && password === undefined) return byToken(verificationToken)
  const message = 'Send either a password or a verificationToken.'
  throw new ValidationError({ fields: [{ path: 'body', message }] })
}

interface PasswordTry {
  identifier: Identifier
  password: string
  placed: PlacedHasher
  /** The key of the device that asks, if it sends one. */
  key?: CheckedKey
  origin: RequestOrigin
}

/**
 * Whether the password is the account's. Attempts at all operations count against the same limits.
 */
export async function tryPassword(
  auth: Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'log'>,
  { identifier, password, placed, key, origin }: PasswordTry,
) {
  const account = await findAccount(auth.db, identifier)
  await limitAccount(auth, { identifier, key, userId: account?.userId, origin })
  // Even without an account: an unknown address must cost as much as a wrong password.
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
  // An attempt that is refused here does not count in the hour of all strangers.
  await limits.take('login by account and address', withAddress(value, origin.address))
  await limits.take('logins in an hour by account', value)
}

async function deviceOf({ db }: Needs<'db'>, { key, userId = nobody }: Limited) {
  // Looked up without an account too, so that it takes as long.
  return key !== undefined && (await isKeyOf(db, key, userId)) ? `key ${key.keyId}` : null
}
