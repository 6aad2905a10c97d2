import type { Needs } from '../auth.ts'
import type { Caller, FreshCaller, ProvableCaller } from '../caller/caller.ts'
import { RecentAuthenticationRequiredError } from '../caller/errors.ts'
import { refuseProgram } from '../caller/require-person.ts'
import { letterOf } from './letter.ts'
import { refuseNotSteppedUp } from './require-step-up.ts'

/** Passkeys have a window of their own, and an operator's work a longer one. */
export type ProofWindow = 'recent' | 'passkey' | 'operator'

/** What the proof is for. */
export interface ProofAsked {
  operation: string
  window: ProofWindow
}

/** @internal For the code that passes a caller to an operation of fresh access. */
export function asProvable(caller: Caller): ProvableCaller {
  return caller as ProvableCaller
}

/** Returns the caller if the proof is fresh. */
export function requireFresh(
  auth: Needs<'clock' | 'env'>,
  caller: ProvableCaller,
  asked: ProofAsked,
): FreshCaller {
  if (isFresh(auth, caller, asked)) return caller
  throw new RecentAuthenticationRequiredError()
}

/**
 * Whether the proof is fresh: of the second factor if the account has one, else of anything that signs in. A missing
 * second factor is refused at once, because no other proof replaces it.
 */
export function isFresh(
  auth: Needs<'clock' | 'env'>,
  caller: ProvableCaller,
  { operation, window }: ProofAsked,
): caller is FreshCaller {
  refuseUnprovedFactor(auth, caller, operation)
  if (letterOf(operation) !== null) return true
  // A passkey can sign in without either, so adding one needs both.
  const isFactorEnough = caller.secondFactorSince !== null && window !== 'passkey'
  return isFactorEnough || hasJustProved(auth, caller, window)
}

/** If the account has a second factor, it was proved within the step-up window. */
export function refuseUnprovedFactor(
  auth: Needs<'clock' | 'env'>,
  caller: ProvableCaller,
  operation: string,
) {
  refuseProgram(caller)
  if (letterOf(operation) !== 'bearer') refuseNotSteppedUp(auth, caller)
}

/** Whether the user has signed in or called `proveRecent` on this device within the window. */
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
