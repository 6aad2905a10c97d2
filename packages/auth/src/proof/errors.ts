import { HttpError } from '@svc/core/contract'

const refusals = {
  PROOF_INVALID: [401, 'No live key of this client has signed this request.'],
  PROOF_REPLAYED: [401, 'The nonce was used before.'],
  PROOF_EXPIRED: [401, 'The proof was issued too long ago, or ahead of the time of the server.'],
  SESSION_REVOKED: [401, 'The key has ended: sign in again.'],
  PROFILE_REJECTED: [400, 'The operation does not take this request as it was proved.'],
  CONTRACT_UNSUPPORTED: [409, 'The server has another version of the contract: update the app.'],
} as const

export type ProofErrorCode = keyof typeof refusals

/** Why a request was not taken as one that a device has proved. It says no more than its code. */
export class ProofError extends HttpError {
  readonly name: ProofErrorCode
  readonly status: number

  constructor(code: ProofErrorCode) {
    const [status, message] = refusals[code]
    super({ message })
    this.name = code
    this.status = status
  }

  override get authScheme() {
    return 'ClientProofV1'
  }

  /** The body that clients of the profile read. */
  override wireBody(requestId: string) {
    return { error: { code: this.name, message: this.message, requestId } }
  }
}
