/** So many in a window that opens with the first. */
export interface RateLimit {
  readonly limit: number
  readonly windowMillis: number
}

export const perMinute = (limit: number): RateLimit => ({ limit, windowMillis: 60_000 })
export const perHour = (limit: number): RateLimit => ({ limit, windowMillis: 3_600_000 })
export const perDay = (limit: number): RateLimit => ({ limit, windowMillis: 86_400_000 })

/** Whom a limit counts: the account that calls, or the address that a call comes from. */
export type CountedBy = 'by caller' | 'by address'

/** How often a route may be called. */
export interface RouteLimit extends RateLimit {
  readonly by: CountedBy
}
