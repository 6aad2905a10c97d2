import type { Db } from '@svc/core'
import { markedPasskeysOf } from '../passkeys/marked-passkeys.ts'
import type { MfaStatus } from './contract.ts'
import { hasConfirmedTotp } from './totp-store.ts'

export type Method = MfaStatus['methods'][number]

/** The second factors that an account has. An authenticator app that is not confirmed is none. */
export async function methodsOf(db: Db, userId: string) {
  const methods: Method[] = []
  if (await hasConfirmedTotp(db, userId)) methods.push('totp')
  if ((await markedPasskeysOf(db, userId)).length > 0) methods.push('passkey')
  return methods
}
