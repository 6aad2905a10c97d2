import { defineMiddleware, ForbiddenError } from '@svc/core'
import { authOf, type Needs } from '../auth.ts'
import {
  type Caller,
  type FreshCaller,
  getAuth,
  type ProvableCaller,
  refuseProgram,
  refuseSupport,
} from '../caller/caller.ts'
import { RecentAuthenticationRequiredError, StepUpRequiredError } from '../caller/errors.ts'

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
  auth: Needs<'clock' | 'env' | 'configuration'>,
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
  auth: Needs<'clock' | 'env' | 'configuration'>,
  caller: ProvableCaller,
  { operation, window }: ProofAsked,
): caller is FreshCaller {
  refuseUnprovedFactor(auth, caller, operation)
  if (letterOf(auth, operation) !== null) return true
  // A passkey can sign in without either, so adding one needs both.
  const isFactorEnough = caller.secondFactorSince !== null && window !== 'passkey'
  return isFactorEnough || hasJustProved(auth, caller, window)
}

/** If the account has a second factor, it was proved within the step-up window. */
export function refuseUnprovedFactor(
  auth: Needs<'clock' | 'env' | 'configuration'>,
  caller: ProvableCaller,
  operation: string,
) {
  refuseProgram(caller)
  refuseSupport(caller)
  if (letterOf(auth, operation) !== 'bearer') refuseNotSteppedUp(auth, caller)
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

/**
 * What the specification requires at operations where we require a fresh proof, which is more.
 * `step-up` applies if the account has a second factor.
 */
const letters: ReadonlyMap<string, 'bearer' | 'step-up'> = new Map([
  //
  ['approveDeviceAuth', 'step-up'],
  //
  ['passkeyRegisterOptions', 'step-up'],
  ['passkeyRegisterVerify', 'step-up'],
  //
  ['mfaTotpEnroll', 'step-up'],
  ['mfaTotpConfirm', 'step-up'],
  //
  ['setSessionBinding', 'bearer'],
  // A-163, and other changes by superadmins. Their role is checked before.
  ['createAdminRole', 'bearer'],
  ['updateAdminRole', 'bearer'],
  ['deleteAdminRole', 'bearer'],
  ['updateUserRole', 'bearer'],
  ['addUserRole', 'bearer'],
  ['removeUserRole', 'bearer'],
  ['deleteInvitation', 'bearer'],
])

/**
 * What an operation requires with `freshProof: 'letter'`; null if it still requires a fresh proof.
 */
function letterOf({ configuration }: Needs<'configuration'>, operation: string) {
  return configuration().freshProof === 'letter' ? (letters.get(operation) ?? null) : null
}

/** If the account has a second factor, this device must have proved it recently. */
export const requireStepUp = defineMiddleware(
  'step-up',
  (c, next) => {
    const caller = getAuth(c)
    // They prove nothing, even if there is no factor to prove.
    refuseProgram(caller)
    refuseSupport(caller)
    refuseNotSteppedUp(authOf(c.server), caller)
    return next()
  },
  {
    documents: {
      requires:
        'If the account has a second factor, this device must have proved it a moment ago. Machine keys and agents may not call it.',
      errors: [ForbiddenError, StepUpRequiredError],
    },
  },
)

/** Requires nothing if the account has no factor. */
function refuseNotSteppedUp(auth: Needs<'clock' | 'env'>, caller: Caller) {
  if (!hasSteppedUp(auth, caller)) throw new StepUpRequiredError()
}

/** A proof of a factor that the account had before says nothing of its present one. */
function hasSteppedUp(
  { clock, env }: Needs<'clock' | 'env'>,
  { secondFactorSince, secondFactorProvedAt }: Caller,
) {
  if (!secondFactorSince) return true
  if (!secondFactorProvedAt || secondFactorProvedAt < secondFactorSince) return false
  const windowMillis = env.SVC_AUTH_MFA_STEP_UP_MINUTES * 60_000
  return clock.now().getTime() - secondFactorProvedAt.getTime() < windowMillis
}
