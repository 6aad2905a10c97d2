import { defineMiddleware, ForbiddenError } from '@svc/core'
import { authOf, type Needs } from '../auth.ts'
import type { Caller } from '../caller/caller.ts'
import { getAuth } from '../caller/context.ts'
import { StepUpRequiredError } from '../caller/errors.ts'
import { refuseProgram } from '../caller/require-person.ts'

/** Where the account has a second factor, this device must have proved it a moment ago. */
export const requireStepUp = defineMiddleware(
  'step-up',
  (c, next) => {
    const caller = getAuth(c)
    // It proves nothing, also where there is no factor to prove.
    refuseProgram(caller)
    refuseNotSteppedUp(authOf(c.server), caller)
    return next()
  },
  {
    documents: {
      requires:
        'Where the account has a second factor, this device has proved it a moment ago. No machine key and no agent may call it.',
      errors: [ForbiddenError, StepUpRequiredError],
    },
  },
)

/** Asks for nothing if the account has no factor. */
export function refuseNotSteppedUp(auth: Needs<'clock' | 'env'>, caller: Caller) {
  if (!hasSteppedUp(auth, caller)) throw new StepUpRequiredError()
}

/** What was proved of a factor that the account had before says nothing of the one that it has now. */
function hasSteppedUp(
  { clock, env }: Needs<'clock' | 'env'>,
  { secondFactorSince, secondFactorProvedAt }: Caller,
) {
  if (!secondFactorSince) return true
  if (!secondFactorProvedAt || secondFactorProvedAt < secondFactorSince) return false
  const windowMillis = env.SVC_AUTH_MFA_STEP_UP_MINUTES * 60_000
  return clock.now().getTime() - secondFactorProvedAt.getTime() < windowMillis
}
