import { type ErrorFacts, HttpError } from '@svc/core/contract'

interface Asked {
  /** What the owner has been asked: `listApprovals` has it. */
  approvalId: string
  /** Where the owner reads it and decides. */
  approveUrl: string
  /** When it is too late to decide. */
  expiresAtMillis: number
}

/**
 * The owner of the account has to approve this call. They have been asked: send the same call again once they have.
 */
export class ApprovalRequiredError extends HttpError<Asked> {
  readonly name = 'ApprovalRequiredError'
  readonly status = 403
  declare readonly approvalId: string
  declare readonly approveUrl: string
  declare readonly expiresAtMillis: number

  constructor(facts: ErrorFacts<Asked>) {
    super({
      message: `The owner of the account has to approve this call, at ${facts.approveUrl}. Send the same call again once they have.`,
      ...facts,
    })
  }
}

/** The owner has refused this call. They are asked again no sooner than ten minutes after they were first asked. */
export class ApprovalRefusedError extends HttpError {
  readonly name = 'ApprovalRefusedError'
  readonly status = 403
}

/** Unknown, decided, expired, or asked of another account. It takes no arguments, so no response can tell which. */
export class ApprovalNotFoundError extends HttpError {
  readonly name = 'ApprovalNotFoundError'
  readonly status = 404
}
