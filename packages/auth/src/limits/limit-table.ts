import type { AuthEnv } from '../env.ts'

/** So many in a window that opens with the first. */
export interface Limit {
  readonly limit: number
  readonly windowMillis: number
}

const perMinute = (limit: number): Limit => ({ limit, windowMillis: 60_000 })
const perHour = (limit: number): Limit => ({ limit, windowMillis: 3_600_000 })
const perDay = (limit: number): Limit => ({ limit, windowMillis: 86_400_000 })

/** Every limit there is. Operations that share one take it by the same name. */
export const limitTable = {
  'login by address': perMinute(100),
  // A stranger is counted by account and address together, so that one address does not lock out another. The limit of
  // an hour is for guesses at one account from many addresses. A browser that has signed in to it is not a stranger.
  'login by account and address': perMinute(10),
  'login by known browser': perMinute(10),
  'logins in an hour by account': perHour(100),
  'password change by address': perMinute(50),
  'password change by account': perMinute(10),
  // Each leaves a key that is kept for all time. Revoking has no limit: a stolen device must not use it up.
  'key rotation by account': perMinute(10),
  'code send by address': perMinute(20),
  'code send by target and address': perMinute(5),
  'code send by known browser': perMinute(5),
  'codes in a day by target': perDay(20),
  'codes in a day by known browser': perDay(20),
  'texts in an hour by target': perHour(5),
  'texts in an hour by known browser': perHour(5),
  'texts in a day by target': perDay(10),
  'texts in a day by known browser': perDay(10),
  'texts in a day by strangers': perDay(800),
  'texts in a day by server': perDay(1000),
  'link mails in a day by target and address': perDay(10),
  'link mails in a day by target': perDay(50),
  'link mails in a day by known browser': perDay(20),
  'code verify by address': perMinute(50),
  'code verify by target and address': perMinute(10),
  'code verify by known browser': perMinute(10),
  'register by address': perMinute(100),
  'register by target': perMinute(10),
  'username check by address': perMinute(30),
  'signup request by address': perMinute(20),
  // Each requester has its own count for a target. The count for all of them together protects the mailbox.
  'signup request by target and address': perMinute(5),
  'signup request by target': perMinute(20),
  'signup confirm by address': perMinute(10),
  'signup complete by address': perMinute(10),
  'reset request by address': perMinute(20),
  'reset request by target and address': perMinute(5),
  'reset request by target': perMinute(20),
  'reset confirm by address': perMinute(10),
  'reset complete by address': perMinute(10),
  'revoke-all link by address': perMinute(10),
  'device start by address': perMinute(10),
  'device poll by address': perMinute(60),
  // A code is looked for with each of the three, so they share what they have.
  'device code by address': perMinute(50),
  'device code by account': perMinute(10),
  'invitation by account': perMinute(30),
  'invitation accept by address': perMinute(10),
  'invitation lookup by address': perMinute(30),
  'deletion request by account': perMinute(10),
  'data export by account': perMinute(5),
  'contact change by address': perMinute(50),
  'contact change by account': perMinute(10),
  'contact undo by address': perMinute(10),
  'passkey login by address': perMinute(20),
  'passkey change by account': perMinute(10),
  'second factor by address': perMinute(50),
  // When one of these is used up, the others still work. A passkey has no count: its response can't be guessed.
  'second factor sign-in by account': perMinute(10),
  'second factor step-up by account': perMinute(10),
  'second factor recovery code by account': perMinute(10),
  // A page asks for options as it opens: that must not use up the tries of a right proof.
  'second factor options by address': perMinute(50),
  'second factor sign-in options by account': perMinute(30),
  'second factor step-up options by account': perMinute(30),
  'second factor change by account': perMinute(10),
  'recent proof by address': perMinute(50),
  'recent proof by account': perMinute(10),
  'recent proof options by account': perMinute(30),
  // Leaving for a provider, coming back and finishing.
  'oauth by address': perMinute(30),
  'native by address': perMinute(20),
  'native by target': perMinute(5),
  'unlink by address': perMinute(300),
  'social change by account': perMinute(10),
  'machine key by account': perMinute(10),
  'oauth2 register by address': perMinute(10),
  // Each may make this server ask an address that somebody made up.
  'oauth2 document by address': perMinute(10),
  'oauth2 consent by account': perMinute(30),
  'oauth2 token by address': perMinute(60),
  'session binding by account': perMinute(10),
  'session renewal by address': perMinute(10),
} satisfies Record<`${string} by ${string}`, Limit>

export type LimitName = keyof typeof limitTable

type SendEnv = Pick<
  AuthEnv,
  'SVC_AUTH_CODES_PER_DAY' | 'SVC_AUTH_TEXTS_PER_DAY' | 'SVC_SMS_PER_DAY'
>

/** The limit as it is configured. */
export function limitFor(name: LimitName, env: SendEnv): Limit {
  const { limit, windowMillis } = limitTable[name]
  return { limit: configured(env)[name] ?? limit, windowMillis }
}

function configured(env: SendEnv): Partial<Record<LimitName, number>> {
  const { SVC_AUTH_CODES_PER_DAY: codes, SVC_AUTH_TEXTS_PER_DAY: texts } = env
  return {
    'codes in a day by target': codes,
    'codes in a day by known browser': codes,
    'texts in a day by target': texts,
    'texts in a day by known browser': texts,
    'texts in a day by strangers': Math.floor(env.SVC_SMS_PER_DAY * 0.8),
    'texts in a day by server': env.SVC_SMS_PER_DAY,
  }
}
