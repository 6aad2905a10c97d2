import { type RateLimit, ServiceUnavailableError, TooManyRequestsError } from '@svc/core/contract'

export { perDay, perHour, perMinute } from '@svc/core/contract'

/** At most this many in a window, which starts with the first. */
export interface Limit extends RateLimit {
  /** The variable that sets the number instead, or a share of it. */
  readonly setBy?: { readonly variable: string; readonly share?: number }
}

/** What is counted, and per which subject: `login by address`, `login by account`. */
export type LimitName = `${string} by ${string}`

/** The limits of a contract by name: `{ 'card login by address': perMinute(10) }`. */
export type LimitTable = Readonly<Record<LimitName, Limit>>

export interface Limits<Name extends LimitName = LimitName> {
  /**
   * Counts one more for an address or an account, and throws a `TooManyRequestsError` if that is
   * one too many. If the counts can't be reached it throws a 503, so that what they protect stays
   * closed.
   */
  take(name: Name, subject: string | null): Promise<void>
}

/** How an operation with limits is refused: over a limit, or while the counts can't be reached. */
export const limitRefusals = [TooManyRequestsError, ServiceUnavailableError] as const
