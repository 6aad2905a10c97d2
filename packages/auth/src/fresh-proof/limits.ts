import { perMinute } from '../limits/limit.ts'

/** Tries at the password of an account that is signed in. */
export const passwordLimits = {
  'password change by address': perMinute(50),
  'password change by account': perMinute(10),
}
