import { InvalidCredentialsError } from '../accounts/errors.ts'
import { findAccount } from '../accounts/find-account.ts'
import { type Identifier, readIdentifier } from '../accounts/identifier.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { NewDeviceKey } from '../capability/key-fields.ts'
import type { CheckedKey } from '../capability/ways.ts'
import { spendVerificationToken } from '../codes/verification-token.ts'
import { checkNewKey } from '../keys/check-new-key.ts'
import type { PlacedHasher } from '../passwords/password-hasher.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { byCredential, type Credential } from './credential.ts'
import { tryPassword } from './try-password.ts'

export interface LoginBody extends NewDeviceKey, Credential {
  email?: string | undefined
  phone?: string | undefined
}

type LoginNeeds = Needs<'db' | 'clock' | 'limits' | 'passwords' | 'env' | 'log' | 'notifier'>

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
  return db.transaction((tx) =>
    completeSignIn(tx, auth, { ...account, ...signInOf(attempt), now: clock.now() }),
  )
}

function signInOf({ identifier, key, origin }: Attempt) {
  return { key, origin, provider: identifier.type, channel: 'login' }
}

async function loginByCode(auth: LoginNeeds, attempt: Attempt & { verificationToken: string }) {
  const { identifier, verificationToken } = attempt
  const now = auth.clock.now()
  return auth.db.transaction(async (tx) => {
    // Spent before the account is even looked up: only who owns the address gets this far.
    const { generation } = await spendVerificationToken(tx, auth, {
      token: verificationToken,
      purpose: 'login',
      identifier,
      now,
    })
    const account = await findAccount(tx, identifier)
    if (!account) throw new InvalidCredentialsError()
    return completeSignIn(tx, auth, { ...account, ...signInOf(attempt), generation, now })
  })
}
