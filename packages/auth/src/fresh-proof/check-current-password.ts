import { InvalidCredentialsError } from '../accounts/errors.ts'
import { findCredentials } from '../accounts/find-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import { type AuditEntry } from '../caller/audit-entry.ts'
import type { Caller } from '../caller/caller.ts'
import { type FreshCaller } from '../caller/caller.ts'
import { RecentAuthenticationRequiredError } from '../caller/errors.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { PlacedHasher } from '../passwords/password-hasher.ts'
import { hasJustProved } from './fresh-caller.ts'
import { provePassword } from './prove-password.ts'

interface Check {
  caller: Caller & Pick<FreshCaller, 'isPasswordProved'>
  currentPassword?: string | undefined
  /** What the trail says was refused. */
  refusal: Pick<AuditEntry, 'act' | 'details'>
  origin: RequestOrigin
  /** For a caller who already has their turn. */
  placed?: PlacedHasher
}

/**
 * Whoever has an account's device must know its password too. Where it has none, they have signed in a moment ago: a
 * thief of the device would otherwise set the first one, and know it from then on.
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
