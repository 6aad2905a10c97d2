import { type RateLimit, ServiceUnavailableError, TooManyRequestsError } from '@svc/core/contract'

export { perDay, perHour, perMinute } from '@svc/core/contract'

/** So many in a window that opens with the first. */
export interface Limit extends RateLimit {
  /** The variable that sets the number instead, or a share of it. */
  readonly setBy?: { readonly variable: string; readonly share?: number }
}

/** What is counted, and per which subject: `login by address`, `login by account`. */
export type LimitName = `${string} by ${string}`

export type LimitTable = Readonly<Record<LimitName, Limit>>

export interface Limits<Name extends LimitName = LimitName> {
  /**
   * Counts one more for an address or an account, and throws a `TooManyRequestsError` when that is one too many. While
   * the counts cannot be reached it is 503: what they protect stays shut.
   */
  take(name: Name, subject: string | null): Promise<void>
}

/** How an operation is refused that is counted: over its limit, or while the counts can't be reached. */
export const limitRefusals = [TooManyRequestsError, ServiceUnavailableError] as const
