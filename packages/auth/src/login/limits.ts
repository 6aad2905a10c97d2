import { perHour, perMinute } from '../limits/limit.ts'

/** Tries at a password, wherever one is asked for instead of a key. */
export const loginLimits = {
  'login by address': perMinute(100),
  // A stranger is counted by account and address together, so that one address does not lock out another. The limit of
  // an hour is for guesses at one account from many addresses. A browser that has signed in to it is not a stranger.
  'login by account and address': perMinute(10),
  'login by known browser': perMinute(10),
  'logins in an hour by account': perHour(100),
}
