import { ValidationError } from '@svc/core'
import { findAccount } from '../accounts/find-account.ts'
import { type Identifier, readIdentifier } from '../accounts/identifier.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { spendVerificationToken } from '../codes/verification-token.ts'
import { checkNewKey } from '../keys/check-new-key.ts'
import type { NewDeviceKey } from '../keys/contract.ts'
import { isKeyOf } from '../keys/is-key-of.ts'
import type { CheckedKey } from '../keys/register-key.ts'
import type { PlacedHasher } from '../passwords/password-hasher.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { InvalidCredentialsError } from './errors.ts'
import { rehash } from './rehash.ts'

export interface LoginBody extends NewDeviceKey {
  email?: string | undefined
  phone?: string | undefined
  password?: string | undefined
  verificationToken?: string | undefined
}

type LoginNeeds = Needs<'db' | 'clock' | 'limits' | 'passwords' | 'env' | 'log' | 'notifier'>

/** Signs in with a password, or with the token that a one-time code was exchanged for. */
export async function login(auth: LoginNeeds, body: LoginBody, origin: RequestOrigin) {
  const identifier = readIdentifier(body)
  const { password, verificationToken } = body
  if (password !== undefined && verificationToken === undefined) {
    // Before anything is asked of the database, which a flood would take from the requests that are signed.
    return auth.passwords.withPlace(origin.address, async (placed) => {
      const attempt = await admitted(auth, { identifier, body, origin })
      return loginByPassword(auth, { ...attempt, password, placed })
    })
  }
  if (verificationToken !== undefined && password === undefined) {
    const attempt = await admitted(auth, { identifier, body, origin })
    return loginByCode(auth, { ...attempt, verificationToken })
  }
  const message = 'Give either a password or a verificationToken.'
  throw new ValidationError({ fields: [{ path: 'body', message }] })
}

interface Attempt {
  identifier: Identifier
  key: CheckedKey
  origin: RequestOrigin
}

async function admitted(
  { limits }: LoginNeeds,
  { identifier, body, origin }: Omit<Attempt, 'key'> & { body: LoginBody },
): Promise<Attempt> {
  const key = checkNewKey(body)
  await limits.take('login by address', origin.address)
  return { identifier, key, origin }
}

type PasswordAttempt = Attempt & { password: string; placed: PlacedHasher }

async function loginByPassword(auth: LoginNeeds, attempt: PasswordAttempt) {
  const { identifier, password, placed, key, origin } = attempt
  const { db, clock } = auth
  const account = await findAccount(db, identifier)
  await limitAccount(auth, { identifier, key, userId: account?.userId })
  // Also for nobody at all: an unknown address must cost what a wrong password costs.
  const matches = await placed.verify(password, account?.passwordHash ?? null)
  const isRight = account !== null && matches
  if (!isRight || account.status !== 'active') {
    const target = account?.userId ?? null
    await recordAudit(db, { act: 'login', outcome: 'refused', target, origin, at: clock.now() })
  }
  if (!isRight) throw new InvalidCredentialsError()
  const result = await db.transaction((tx) =>
    completeSignIn(tx, auth, { ...account, ...signInOf(attempt), now: clock.now() }),
  )
  rehash(auth, { account, password })
  return result
}

function signInOf({ identifier, key, origin }: Attempt) {
  return { key, origin, provider: identifier.type, channel: 'login' }
}

async function loginByCode(auth: LoginNeeds, attempt: Attempt & { verificationToken: string }) {
  const { identifier, verificationToken } = attempt
  const { db, clock } = auth
  const account = await findAccount(db, identifier)
  const now = clock.now()
  return db.transaction(async (tx) => {
    // Spent before anything is said of the account: only who owns the address gets this far.
    const { generation } = await spendVerificationToken(tx, auth, {
      token: verificationToken,
      purpose: 'login',
      identifier,
      now,
    })
    if (!account) throw new InvalidCredentialsError()
    return completeSignIn(tx, auth, { ...account, ...signInOf(attempt), generation, now })
  })
}

const nobody = '00000000-0000-0000-0000-000000000000'

/** Whoever guesses at an account must not lock its owner's own devices out. */
async function limitAccount(
  { db, limits }: LoginNeeds,
  { identifier, key, userId }: Pick<Attempt, 'identifier' | 'key'> & { userId: string | undefined },
) {
  // Asked for nobody too, so that it takes as long.
  const known = await isKeyOf(db, key, userId ?? nobody)
  const subject = known ? `${identifier.value} ${key.keyId}` : identifier.value
  await limits.take('login by account', subject)
}
