import { findCredentials, replacePasswordHash } from '../accounts/accounts.ts'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { AuditEntry, Caller, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { RecentAuthenticationRequiredError } from '../caller/errors.ts'
import type { PlacedHasher } from '../passwords/passwords.ts'
import { hasJustProved } from './fresh-caller.ts'

interface Check {
  caller: Caller & Pick<FreshCaller, 'isPasswordProved'>
  currentPassword?: string | undefined
  /** What the trail records as refused. */
  refusal: Pick<AuditEntry, 'act' | 'details'>
  origin: RequestOrigin
  /** For a caller whose turn has come already. */
  placed?: PlacedHasher
}

/**
 * An attacker with a user's device doesn't know its password. If the account has none, its owner
 * must have signed in recently. Otherwise an attacker could set the first one, and know it from
 * then on.
 */
export async function checkCurrentPassword(
  auth: Needs<'db' | 'clock' | 'env' | 'passwords' | 'log'>,
  { caller, currentPassword = '', refusal, origin, placed }: Check,
) {
  const { db, clock, passwords } = auth
  const { userId: actor, isPasswordProved = false } = caller
  if (isPasswordProved) return
  const stored = (await findCredentials(db, actor))?.passwordHash ?? null
  const isProved =
    stored === null
      ? hasJustProved(auth, caller)
      : await provePassword(auth, {
          account: { userId: actor, passwordHash: stored },
          password: currentPassword,
          hasher: placed ?? { verify: (given, hash) => passwords.verify(given, hash, origin) },
        })
  if (isProved) return
  await recordAudit(db, { ...refusal, outcome: 'refused', actor, origin, at: clock.now() })
  throw stored === null ? new RecentAuthenticationRequiredError() : new InvalidCredentialsError()
}

interface Proof {
  /** Null for an unknown account: refused after as long as a wrong password takes. */
  account: { userId: string; passwordHash: string | null } | null
  password: string
  hasher: Pick<PlacedHasher, 'verify'>
}

/**
 * Checks an account's password, wherever an operation takes one. A correct one is hashed again if
 * its hash is outdated.
 */
export async function provePassword(
  auth: Needs<'db' | 'passwords' | 'log'>,
  { account, password, hasher }: Proof,
) {
  const isRight = await hasher.verify(password, account?.passwordHash ?? null)
  if (isRight && account) rehash(auth, { account, password })
  return isRight
}

interface Account {
  userId: string
  passwordHash: string | null
}

/**
 * Updates the hash of a correct password to the present configuration, without delaying the
 * response. If others wait for a thread, that is left for the next time: otherwise a migration of
 * all accounts would make sign-ins take twice as long.
 */
function rehash(
  { db, passwords, log }: Needs<'db' | 'passwords' | 'log'>,
  { account, password }: { account: Account; password: string },
) {
  const { userId, passwordHash } = account
  if (passwordHash === null || !passwords.needsRehash(passwordHash)) return
  if (!passwords.isIdle) return
  passwords
    .hash(password)
    .then((hash) => replacePasswordHash(db, { userId, from: passwordHash, to: hash }))
    .catch((error: unknown) => log.warn({ err: error, userId }, 'a password was not hashed again'))
}
