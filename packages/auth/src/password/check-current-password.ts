import { findCredentials } from '../accounts/find-account.ts'
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller } from '../authenticate/caller.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { InvalidCredentialsError } from '../login/errors.ts'

interface Check {
  caller: Caller
  currentPassword?: string | undefined
  /** What the trail says was refused. */
  refusal: Pick<AuditEntry, 'act' | 'details'>
  origin: RequestOrigin
}

/** Whoever has an account's device must know its password too, wherever it has one. */
export async function checkCurrentPassword(
  { db, clock, passwords }: Needs<'db' | 'clock' | 'passwords'>,
  { caller, currentPassword = '', refusal, origin }: Check,
) {
  const { userId: actor } = caller
  const stored = (await findCredentials(db, actor))?.passwordHash ?? null
  if (stored === null || (await passwords.verify(currentPassword, stored, origin.address))) return
  await recordAudit(db, { ...refusal, outcome: 'refused', actor, origin, at: clock.now() })
  throw new InvalidCredentialsError()
}
