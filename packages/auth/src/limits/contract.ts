import { ServiceUnavailableError, TooManyRequestsError } from '@svc/core/contract'

/** So many in a window that opens with the first. */
export interface Limit {
  readonly limit: number
  readonly windowMillis: number
  /** The variable that sets the number instead, or a share of it. */
  readonly setBy?: { readonly variable: string; readonly share?: number }
}

/** What is counted, and by whom: `login by address`, `login by account`. */
export type LimitName = `${string} by ${string}`

export type LimitTable = Readonly<Record<LimitName, Limit>>

export const perMinute = (limit: number): Limit => ({ limit, windowMillis: 60_000 })
export const perHour = (limit: number): Limit => ({ limit, windowMillis: 3_600_000 })
export const perDay = (limit: number): Limit => ({ limit, windowMillis: 86_400_000 })

export interface Limits<Name extends LimitName = LimitName> {
  /**
   * Counts one more for an address or an account, and throws a `TooManyRequestsError` when that is one too many. While
   * the counts cannot be reached it is 503: what they protect stays shut. A limit that no contract declares, such as
   * that of an application's route, is given with its name.
   */
  take(name: Name, subject: string | null, undeclared?: Limit): Promise<void>
}

/** How an operation is refused that is counted: over its limit, or while the counts can't be reached. */
export const limitRefusals = [TooManyRequestsError, ServiceUnavailableError] as const
