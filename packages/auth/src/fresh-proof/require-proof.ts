import { defineMiddleware, ForbiddenError } from '@svc/core'
import { getAuth } from '../caller/context.ts'
import { RecentAuthenticationRequiredError, StepUpRequiredError } from '../caller/errors.ts'
import { refuseProgram } from '../caller/require-person.ts'

const proof =
  'a fresh proof: of the second factor where the account has one, else a sign-in on this device, or `proveRecent`, a moment ago. No machine key and no agent has one.'
const errors = [ForbiddenError, StepUpRequiredError, RecentAuthenticationRequiredError]

/**
 * Documents that an operation takes a fresh proof, and refuses programs. The proof itself is checked after the body is
 * read, because the body may contain the current password.
 */
export const requireProof = defineMiddleware(
  'proof',
  (c, next) => {
    refuseProgram(getAuth(c))
    return next()
  },
  { documents: { requires: `Needs ${proof}`, errors } },
)

/** Documents that an operation takes a fresh proof if the request gives power. */
export const requireProofForSome = defineMiddleware('proof for some', (_c, next) => next(), {
  documents: { requires: `For what gives power, needs ${proof}`, errors },
})
