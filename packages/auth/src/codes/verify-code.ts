import type { Tx } from '@svc/core'
import { findAccount } from '../accounts/find-account.ts'
import { readTarget } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import { equal } from '../crypto/constant-time.ts'
import { type CodeHash, type CodeUse, hashCode } from './code-hash.ts'
import { InvalidVerificationCodeError } from './errors.ts'
import type { CodeRequest } from './send-verification-code.ts'
import { spendCode, takeTry } from './store.ts'
import { issueVerificationToken } from './verification-token.ts'
import { countTry, uncountTry } from './wrong-tries.ts'

/** Exchanges a code for a token that says: whoever has this can read what is sent to the target. */
export async function verifyCode(
  auth: Needs<'db' | 'clock' | 'env' | 'limits'>,
  { target, targetType, purpose, code }: CodeRequest & { code: string },
  address: string | null,
) {
  const { db, clock, limits } = auth
  const use = { identifier: readTarget(target, targetType), purpose }
  await limits.take('code verify by address', address)
  await limits.take('code verify by target', use.identifier.value)
  const now = clock.now()
  // Committed before anything is compared: of any number of guesses at once, five learn whether they are right.
  const codeHash = await db.transaction((tx) => takeTryOf(tx, auth, { use, now }))
  // As it may have been pasted.
  const presented = hashCode(auth, use, code.replace(/\s/g, ''))
  if (codeHash === null || !equal(presented, codeHash)) throw new InvalidVerificationCodeError()
  await db.transaction((tx) => spend(tx, auth, { use, codeHash: presented }))
  // One that is opened later begins with the same.
  const generation = (await findAccount(db, use.identifier))?.generation ?? 0
  return issueVerificationToken(auth, { ...use, generation, now })
}

async function takeTryOf(tx: Tx, auth: Needs<'env'>, { use, now }: { use: CodeUse; now: Date }) {
  const codeHash = await takeTry(tx, use, now)
  if (codeHash !== null) await countTry(tx, auth, { identifier: use.identifier, now })
  return codeHash
}

async function spend(
  tx: Tx,
  auth: Needs<'env'>,
  { use, codeHash }: { use: CodeUse; codeHash: CodeHash },
) {
  if (!(await spendCode(tx, use, codeHash))) throw new InvalidVerificationCodeError()
  await uncountTry(tx, auth, use.identifier)
}
