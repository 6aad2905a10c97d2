/** So many in a window that opens with the first. */
export interface Limit {
  readonly limit: number
  readonly windowMillis: number
}

const perMinute = (limit: number): Limit => ({ limit, windowMillis: 60_000 })

/** Every limit there is. Operations that share one take it by the same name. */
export const limitTable = {
  'login by address': perMinute(100),
  'login by account': perMinute(10),
  'password change by address': perMinute(50),
  'password change by account': perMinute(10),
  // Each leaves a key that is kept for all time. Revoking has no limit: a stolen device must not use it up.
  'key rotation by account': perMinute(10),
  'code send by address': perMinute(20),
  'code send by target': perMinute(5),
  'code verify by address': perMinute(50),
  'code verify by target': perMinute(10),
  'register by address': perMinute(100),
  'register by target': perMinute(10),
  'username check by address': perMinute(30),
} satisfies Record<`${string} by ${string}`, Limit>

export type LimitName = keyof typeof limitTable
