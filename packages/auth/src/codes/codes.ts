import type { Tx } from '@svc/core'
import { findAccount, findLocaleAt, type Identifier, readTarget } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { equal, newCode } from '../crypto/crypto.ts'
import { inTransaction } from '../in-transaction.ts'
import { findKnownBrowser } from '../known-browser/known-browser.ts'
import type { Purpose } from '../purpose.ts'
import type { SendProofs } from '../sends/contract.ts'
import { admitSend } from '../sends/sends.ts'
import { withAddress } from '../with-address.ts'
import { InvalidVerificationCodeError } from './errors.ts'
import {
  type CodeHash,
  type CodePlace,
  type CodeUse,
  countTry,
  hashCode,
  putCode,
  spendCode,
  takeTry,
  uncountTry,
} from './store.ts'
import { issueVerificationToken } from './verification-token.ts'

export { forgetCodesOf } from './store.ts'
export { checkVerificationToken, spendVerificationToken } from './verification-token.ts'

const expiresInMinutes = 5

interface CodeRequest {
  target: string
  targetType: 'email' | 'phone'
  purpose: Purpose
}

/**
 * Sends a code. The work is the same for every purpose, whether or not there is an account, so only
 * the owner of the address can tell. The response doesn't wait for the message, so its delivery
 * reveals nothing either.
 */
export async function sendVerificationCode(
  auth: Needs<'db' | 'clock' | 'env' | 'configuration' | 'limits' | 'log' | 'notifier'>,
  { target, targetType, purpose, ...proofs }: CodeRequest & SendProofs,
  { origin, locale }: { origin: RequestOrigin; locale: string },
) {
  const { db, clock } = auth
  const use = { identifier: readTarget(target, targetType), purpose }
  const { isKnown } = await admitSend(auth, { ...use, proofs, origin })
  const code = newCode()
  const expiresAt = new Date(clock.now().getTime() + expiresInMinutes * 60_000)
  await putCode(db, { place: { ...use, isKnown }, codeHash: hashCode(auth, use, code), expiresAt })
  deliver(auth, { use, code, locale })
  return { success: true as const, expiresAt: expiresAt.toISOString() }
}

interface Delivery {
  use: CodeUse
  code: string
  locale: string
}

/**
 * The notifier holds what is being sent, and a shutdown waits for it. The language of the account
 * is looked up in every case, and the response doesn't wait for that either. Otherwise its time
 * would reveal whether there is an account.
 */
function deliver(auth: Needs<'db' | 'notifier' | 'log'>, { use, code, locale: asked }: Delivery) {
  const { notifier, log } = auth
  const { identifier, purpose } = use
  notifier
    .send({
      channel: identifier.type === 'email' ? 'mail' : 'sms',
      to: identifier.value,
      template: 'verification-code',
      facts: { code, expiresInMinutes, purpose },
      locale: localeOf(auth, identifier, asked),
    })
    .catch((error: unknown) => log.error({ err: error, purpose }, 'a code was not delivered'))
}

/** The account's locale, else the requested one. A code is sent even if the look-up fails. */
async function localeOf(
  { db, log }: Needs<'db' | 'log'>,
  identifier: CodeUse['identifier'],
  asked: string,
) {
  try {
    return (await findLocaleAt(db, identifier)) ?? asked
  } catch (error) {
    log.warn({ err: error }, 'the language of an account could not be read')
    return asked
  }
}

/** Exchanges a code for a token. It proves that its holder can read what is sent to the target. */
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
  // Committed before anything is compared: of any number of concurrent guesses, five learn whether
  // they are right.
  const codeHash = await inTransaction(db, (tx) => takeTryOf(tx, auth, { place, now }))
  // Users may paste it with spaces.
  const presented = hashCode(auth, use, code.replace(/\s/g, ''))
  if (codeHash === null || !equal(presented, codeHash)) throw new InvalidVerificationCodeError()
  await inTransaction(db, (tx) => spend(tx, auth, { place, codeHash: presented }))
  // An account that is opened later begins with the same generation.
  const generation = (await findAccount(db, use.identifier))?.generation ?? 0
  return issueVerificationToken(auth, { ...use, generation, now })
}

/**
 * A stranger's tries are counted for target and address together, so strangers don't use up each
 * other's tries.
 */
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
