import { hasPassword } from '../accounts/password.ts'
import type { AuditEntry } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller } from '../authenticate/caller.ts'
import { RecentAuthenticationRequiredError } from '../authenticate/errors.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { checkCurrentPassword } from './check-current-password.ts'
import { hasJustSignedIn } from './has-just-signed-in.ts'

interface Asked {
  caller: Caller
  currentPassword?: string | undefined
  /** What the trail says was refused. */
  refusal: Pick<AuditEntry, 'act' | 'details'>
  origin: RequestOrigin
}

type RecentNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'log'>

/**
 * Whoever took a device while it was signed in must put nothing into the account that outlives that: its owner has
 * signed in a moment ago, or knows the password.
 */
export async function requireRecentAuthentication(auth: RecentNeeds, asked: Asked) {
  const { caller, currentPassword } = asked
  if (hasJustSignedIn(auth, caller)) return
  if (currentPassword === undefined || !(await hasPassword(auth.db, caller.userId))) {
    throw new RecentAuthenticationRequiredError()
  }
  await auth.limits.take('password change by account', caller.userId)
  await checkCurrentPassword(auth, asked)
}
