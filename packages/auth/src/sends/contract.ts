import { t } from '@svc/core/contract'
import { limitRefusals } from '../limits/limit-refusals.ts'
import { ProofOfWorkRequiredError, SendRejectedError } from './errors.ts'

/** Input of operations that send a message to an address or number that a stranger may name. */
export const sendFields = {
  /** For the application's `beforeSend`, such as the answer of a captcha. */
  proof: t.Optional(t.String({ maxLength: 8192 })),
  /** The solution for a `ProofOfWorkRequiredError`. */
  work: t.Optional(t.String({ maxLength: 256 })),
}

export interface SendProofs {
  proof?: string | undefined
  work?: string | undefined
}

/** How such an operation may refuse. */
export const sendRefusals = [SendRejectedError, ProofOfWorkRequiredError, ...limitRefusals] as const
