import { defineMiddleware } from '@svc/core'
import { authOf } from '../auth.ts'
import { getAuth } from './context.ts'
import { StepUpRequiredError } from './errors.ts'

/** Where the account has a second factor, this device must have proved it a moment ago. */
export const requireStepUp = defineMiddleware('step-up', (c, next) => {
  const { clock, env } = authOf(c.server)
  const { secondFactorSince, secondFactorProvedAt } = getAuth(c)
  const windowMillis = env.SVC_AUTH_MFA_STEP_UP_MINUTES * 60_000
  const isFresh =
    secondFactorProvedAt !== null &&
    clock.now().getTime() - secondFactorProvedAt.getTime() < windowMillis
  if (secondFactorSince && !isFresh) throw new StepUpRequiredError()
  return next()
})
