import { ConflictError, databaseFailure } from '@svc/core'
import { setUsername } from '../accounts/username.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { Signer } from '../keys/lock-caller.ts'
import { UsernameAlreadyTakenError } from './errors.ts'
import { holdAccount } from './hold-account.ts'
import { readUsername } from './username.ts'

interface Request {
  caller: Signer
  username: string | null
  origin: RequestOrigin
}

/** Who of several comes first is said by the column's index, in whichever process they are. */
export async function updateUsername(
  { db, clock, env, limits }: Needs<'db' | 'clock' | 'env' | 'limits'>,
  { caller, username: given, origin }: Request,
) {
  // What is taken is told here too.
  await limits.take('username check by address', origin.address)
  const username = given === null ? null : readUsername(given, env)
  const at = clock.now()
  try {
    await db.transaction(async (tx) => {
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
