import type { Needs } from '../../auth.ts'
import { type CodeUse, hashCode, putCode } from '../store.ts'

/** A live code that was not sent. */
export async function putTestCode(auth: Needs<'db' | 'env' | 'clock'>, use: CodeUse) {
  const code = '123456'
  const expiresAt = new Date(auth.clock.now().getTime() + 300_000)
  await putCode(auth.db, {
    place: { ...use, isKnown: false },
    codeHash: hashCode(auth, use, code),
    expiresAt,
  })
  return code
}
