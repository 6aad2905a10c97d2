/** So many in a window, which begins with the first one. */
export interface RateLimit {
  readonly limit: number
  readonly windowMillis: number
}

/** So many in a minute. */
export const perMinute = (limit: number): RateLimit => ({ limit, windowMillis: 60_000 })
/** So many in an hour. */
export const perHour = (limit: number): RateLimit => ({ limit, windowMillis: 3_600_000 })
/** So many in 24 hours. */
export const perDay = (limit: number): RateLimit => ({ limit, windowMillis: 86_400_000 })

/** What a limit counts by: the account that calls, the address of the call, or the tenant that it names. */
export type CountedBy = 'by caller' | 'by address' | 'by tenant'

/** How often a route may be called. */
export interface RouteLimit extends RateLimit {
  readonly by: CountedBy
}
