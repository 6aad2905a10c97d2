import { readTarget } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import { newCode } from '../crypto/new-code.ts'
import { type CodeUse, hashCode } from './code-hash.ts'
import type { Purpose } from './contract.ts'
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
  { target, targetType, purpose }: CodeRequest,
  { address, locale }: { address: string | null; locale: string },
) {
  const { db, clock, limits } = auth
  const use = { identifier: readTarget(target, targetType), purpose }
  await limits.take('code send by address', address)
  await limits.take('code send by target', use.identifier.value)
  const code = newCode()
  const expiresAt = new Date(clock.now().getTime() + expiresInMinutes * 60_000)
  await putCode(db, { use, codeHash: hashCode(auth, use, code), expiresAt })
  deliver(auth, { use, code, locale })
  return { success: true as const, expiresAt: expiresAt.toISOString() }
}

interface Delivery {
  use: CodeUse
  code: string
  locale: string
}

/** The notifier keeps what is under way, and a shutdown waits for it. */
function deliver({ notifier, log }: Needs<'notifier' | 'log'>, { use, code, locale }: Delivery) {
  const { identifier, purpose } = use
  notifier
    .send({
      channel: identifier.type === 'email' ? 'mail' : 'sms',
      to: identifier.value,
      template: 'verification-code',
      facts: { code, expiresInMinutes, purpose },
      locale,
    })
    .catch((error: unknown) => log.error({ err: error, purpose }, 'a code was not delivered'))
}
