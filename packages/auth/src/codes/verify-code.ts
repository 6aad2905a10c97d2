import type { Tx } from '@svc/core'
import { findAccount } from '../accounts/find-account.ts'
import { type Identifier, readTarget } from '../accounts/identifier.ts'
import { withAddress } from '../address-subject.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { equal } from '../crypto/constant-time.ts'
import { findKnownBrowser } from '../known-browser/find-known-browser.ts'
import { type CodeHash, hashCode } from './code-hash.ts'
import { InvalidVerificationCodeError } from './errors.ts'
import type { CodeRequest } from './send-verification-code.ts'
import { type CodePlace, spendCode, takeTry } from './store.ts'
import { issueVerificationToken } from './verification-token.ts'
import { countTry, uncountTry } from './wrong-tries.ts'

/** Exchanges a code for a token that says: whoever has this can read what is sent to the target. */
export async function verifyCode(
  auth: Needs<'db' | 'clock' | 'env' | 'limits'>,
  { target, targetType, purpose, code }: CodeRequest & { code: string },
  origin: RequestOrigin,
) {
  const { db, clock } = auth
  const use = { identifier: readTarget(target, targetType), purpose }
  const isKnown = await takeVerify(auth, { identifier: use.identifier, origin })
  const place = { ...use, isKnown }
  const now = clock.now()
  // Committed before anything is compared: of any number of guesses at once, five learn whether they are right.
  const codeHash = await db.transaction((tx) => takeTryOf(tx, auth, { place, now }))
  // As it may have been pasted.
  const presented = hashCode(auth, use, code.replace(/\s/g, ''))
  if (codeHash === null || !equal(presented, codeHash)) throw new InvalidVerificationCodeError()
  await db.transaction((tx) => spend(tx, auth, { place, codeHash: presented }))
  // One that is opened later begins with the same.
  const generation = (await findAccount(db, use.identifier))?.generation ?? 0
  return issueVerificationToken(auth, { ...use, generation, now })
}

/** A stranger's tries are counted for target and address together, so strangers don't use up each other's tries. */
async function takeVerify(
  auth: Needs<'db' | 'clock' | 'env' | 'limits'>,
  asked: { identifier: Identifier; origin: RequestOrigin },
) {
  const { limits } = auth
  const { identifier, origin } = asked
  const known = await findKnownBrowser(auth, asked)
  if (known !== null) await limits.take('code verify by known browser', known)
  else {
    const subject = withAddress(identifier.value, origin.address)
    await limits.take('code verify by target and address', subject)
  }
  return known !== null
}

/** If no code is waiting there is nothing to guess, and only the address is counted. */
async function takeTryOf(
  tx: Tx,
  auth: Needs<'env'>,
  { place, now }: { place: CodePlace; now: Date },
) {
  const codeHash = await takeTry(tx, place, now)
  if (codeHash !== null) await countTry(tx, auth, { place, now })
  return codeHash
}

async function spend(
  tx: Tx,
  auth: Needs<'env'>,
  { place, codeHash }: { place: CodePlace; codeHash: CodeHash },
) {
  if (!(await spendCode(tx, place, codeHash))) throw new InvalidVerificationCodeError()
  await uncountTry(tx, auth, place)
}
