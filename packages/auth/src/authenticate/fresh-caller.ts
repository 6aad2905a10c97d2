import type { Needs } from '../auth.ts'
import type { Caller } from './caller.ts'
import { RecentAuthenticationRequiredError } from './errors.ts'
import { letterOf } from './letter.ts'
import { refuseProgram } from './require-person.ts'
import { refuseNotSteppedUp } from './require-step-up.ts'

declare const proof: unique symbol

/** A caller of an operation whose access allows it to ask for a fresh proof: nothing else can. */
export type ProvableCaller = Caller & { readonly [proof]: 'possible' | 'fresh' }

/**
 * A caller who has proved a moment ago whose device it is. What registers a key for somebody who is signed in, issues a
 * grant or gives power takes no other, so that an operation without fresh access does not compile with it.
 */
export type FreshCaller = Caller & {
  readonly [proof]: 'fresh'
  /** The current password was right in this very call: nothing has to hash it again. */
  readonly isPasswordProved?: true
}

/** Passkeys have a window of their own, and an operator's work a longer one. */
export type ProofWindow = 'recent' | 'passkey' | 'operator'

/** What a proof is asked for. */
export interface ProofAsked {
  operation: string
  window: ProofWindow
}

/** @internal For what hands a caller to an operation of fresh access. */
export function asProvable(caller: Caller): ProvableCaller {
  return caller as ProvableCaller
}

/** The caller, where the proof is fresh. */
export function requireFresh(
  auth: Needs<'clock' | 'env'>,
  caller: ProvableCaller,
  asked: ProofAsked,
): FreshCaller {
  if (isFresh(auth, caller, asked)) return caller
  throw new RecentAuthenticationRequiredError()
}

/**
 * Whether the proof is fresh: of the second factor where the account has one, else of anything that signs in. A factor
 * that is to be proved is told at once, for nothing else stands in for it.
 */
export function isFresh(
  auth: Needs<'clock' | 'env'>,
  caller: ProvableCaller,
  { operation, window }: ProofAsked,
): caller is FreshCaller {
  refuseUnprovedFactor(auth, caller, operation)
  if (letterOf(operation) !== null) return true
  // A passkey signs in without either: it asks for both.
  const isFactorEnough = caller.secondFactorSince !== null && window !== 'passkey'
  return isFactorEnough || hasJustProved(auth, caller, window)
}

/** Where the account has a second factor, it was proved a moment ago. */
export function refuseUnprovedFactor(
  auth: Needs<'clock' | 'env'>,
  caller: ProvableCaller,
  operation: string,
) {
  refuseProgram(caller)
  if (letterOf(operation) !== 'bearer') refuseNotSteppedUp(auth, caller)
}

/** Whether the owner of a device has signed in on it a moment ago, or has proved again that they could. */
export function hasJustProved(
  { clock, env }: Needs<'clock' | 'env'>,
  { authenticatedAt }: Pick<Caller, 'authenticatedAt'>,
  window: ProofWindow = 'recent',
) {
  if (!authenticatedAt) return false
  const minutes = {
    recent: env.SVC_AUTH_RECENT_AUTH_MINUTES,
    passkey: env.SVC_AUTH_PASSKEY_RECENT_AUTH_MINUTES,
    operator: env.SVC_AUTH_ADMIN_RECENT_AUTH_MINUTES,
  }[window]
  return clock.now().getTime() - authenticatedAt.getTime() < minutes * 60_000
}
