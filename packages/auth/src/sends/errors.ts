import { HttpError } from '@svc/core/contract'

/** Thrown by an application's `beforeSend` to refuse a code or a link. */
export class SendRejectedError extends HttpError {
  readonly name = 'SendRejectedError'
  readonly status = 403
}

/** What a client must find: see `withWork`. */
export interface Work {
  challenge: string
  /** How many zero bits the hash must begin with. */
  bits: number
}

/** A stranger must do a proof of work if the server asks for it. `withWork` does it and sends again. */
export class ProofOfWorkRequiredError extends HttpError<Work> {
  readonly name = 'ProofOfWorkRequiredError'
  readonly status = 403
  declare readonly challenge: string
  declare readonly bits: number
}
