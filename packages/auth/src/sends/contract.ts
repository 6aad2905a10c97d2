import { t } from '@svc/core/contract'
import { limitRefusals } from '../limits/limit-refusals.ts'
import { ProofOfWorkRequiredError, SendRejectedError } from './errors.ts'

/** What an operation takes that makes the server send something to an address or number that anybody may name. */
export const sendFields = {
  /** For the application's `beforeSend`, such as the answer of a captcha. */
  proof: t.Optional(t.String({ maxLength: 8192 })),
  /** What was found for a `ProofOfWorkRequiredError`. */
  work: t.Optional(t.String({ maxLength: 256 })),
}

export interface SendProofs {
  proof?: string | undefined
  work?: string | undefined
}

/** How it may be refused. */
export const sendRefusals = [SendRejectedError, ProofOfWorkRequiredError, ...limitRefusals] as const
