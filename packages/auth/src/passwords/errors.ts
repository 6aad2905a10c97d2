import { type ErrorFacts, HttpError } from '@svc/core/contract'

/** `account_name`: it is the account's own address or username. `breached`: it is in a public list of leaked passwords. */
export type WeakPasswordReason = 'too_short' | 'too_long' | 'common' | 'account_name' | 'breached'

/** The new password is refused, and `reasons` says why. Ask the user for another one. */
export class WeakPasswordError extends HttpError<{ reasons: WeakPasswordReason[] }> {
  readonly name = 'WeakPasswordError'
  readonly status = 400
  declare readonly reasons: WeakPasswordReason[]

  constructor(facts: ErrorFacts<{ reasons: WeakPasswordReason[] }>) {
    super({ message: 'This password is not safe enough. Choose another one.', ...facts })
  }
}
