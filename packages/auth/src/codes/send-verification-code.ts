import { findLocaleAt } from '../accounts/find-reader.ts'
import { readTarget } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { newCode } from '../crypto/new-code.ts'
import type { Purpose } from '../purpose.ts'
import { admitSend } from '../sends/admit-send.ts'
import type { SendProofs } from '../sends/contract.ts'
import { type CodeUse, hashCode } from './code-hash.ts'
import { putCode } from './store.ts'

const expiresInMinutes = 5

export interface CodeRequest {
  target: string
  targetType: 'email' | 'phone'
  purpose: Purpose
}

/**
 * Sends a code, whatever it is for and whether or not there is an account: only the owner of the address could tell,
 * and the work is the same. Nobody waits for the message, so its delivery tells nothing either.
 */
export async function sendVerificationCode(
  auth: Needs<'db' | 'clock' | 'env' | 'limits' | 'log' | 'notifier'>,
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
 * The notifier keeps what is under way, and a shutdown waits for it. Nobody waits for the language of the account
 * either, which is looked up for everybody: an answer that did would tell whether there is one.
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

/** That of the account, else the one that was asked for. A code goes out whatever becomes of the question. */
async function localeOf(
  { db, log }: Needs<'db' | 'log'>,
  identifier: CodeUse['identifier'],
  asked: string,
) {
  try {
    return (await findLocaleAt(db, identifier)) ?? asked
  } catch (error) {
    log.warn({ err: error }, 'the language of an account was not found out')
    return asked
  }
}
