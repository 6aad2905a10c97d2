import type { Tx } from '@svc/core'
import type { Identifier } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import { InvalidVerificationTokenError } from './errors.ts'

export async function spendVerificationToken(
  _tx: Tx,
  _auth: Needs<'env'>,
  _given: { token: string; purpose: string; identifier: Identifier; now: Date },
): Promise<void> {
  throw new InvalidVerificationTokenError()
}
