import type { Db } from '@svc/core'
import type { MfaStatus } from './contract.ts'
import { methodsOf } from './methods-of.ts'
import { countRecoveryCodes } from './recovery-code-store.ts'

export async function mfaStatus(db: Db, userId: string): Promise<MfaStatus> {
  const methods = await methodsOf(db, userId)
  const recoveryCodesRemaining = await countRecoveryCodes(db, userId)
  return { enrolled: methods.length > 0, methods, recoveryCodesRemaining }
}
