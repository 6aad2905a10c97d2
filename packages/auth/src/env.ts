import {
  appPath,
  defineEnv,
  duration,
  EnvironmentError,
  type EnvironmentSource,
  flag,
  integer,
  list,
  oneOf,
  optional,
  required,
  webAddress,
} from '@svc/core'
import { hasArgon2 } from './passwords/passwords.ts'

const usernameVariables = {
  SVC_AUTH_RESERVED_USERNAMES: list([
    'admin',
    'root',
    'system',
    'support',
    'help',
    'moderator',
    'superadmin',
  ]),
  SVC_AUTH_USERNAME_MIN_LENGTH: integer({ initial: 3, min: 1, max: 30 }),
  SVC_AUTH_USERNAME_MAX_LENGTH: integer({ initial: 30, min: 1, max: 64 }),
}

/** The rules for usernames alone: an import runs without a server and has none of its secrets. */
export const readUsernameRules = defineEnv(usernameVariables)

const readVariables = defineEnv({
  NODE_ENV: oneOf('development', 'test', 'production'),
  SVC_RATE_LIMIT: flag(true),
  SVC_AUTH_VERIFICATION_TOKEN_SECRET: required,
  SVC_AUTH_REQUEST_BINDING: oneOf('strict', 'bearer'),
  SVC_AUTH_JWT_SECRET: optional,
  SVC_AUTH_JWT_EXPIRES_IN: duration('1h'),
  SVC_AUTH_SESSION_TTL: duration('7d'),
  SVC_AUTH_COOKIE_SECURE: flag(undefined),
  SVC_AUTH_PASSWORD_SCHEME: oneOf('bcrypt', 'argon2id'),
  SVC_AUTH_BCRYPT_SALT_ROUNDS: integer({ initial: 12, min: 4, max: 16 }),
  SVC_AUTH_HASH_NICE: integer({ initial: 19, min: 0, max: 19 }),
  SVC_AUTH_LOGIN_WAIT_MILLIS: integer({ initial: 5000, min: 0, max: 20_000 }),
  SVC_AUTH_BREACHED_PASSWORDS: flag(false),
  SVC_AUTH_BREACHED_PASSWORDS_URL: webAddress,
  SVC_AUTH_CODES_PER_DAY: integer({ initial: 20, min: 1 }),
  SVC_AUTH_TEXTS_PER_DAY: integer({ initial: 10, min: 1 }),
  SVC_SMS_PER_DAY: integer({ initial: 1000, min: 0 }),
  // At 24 a browser would take minutes, and users leave.
  SVC_AUTH_SEND_WORK_BITS: integer({ initial: 0, min: 0, max: 24 }),
  ...usernameVariables,
  SVC_AUTH_SECURITY_PATH: appPath('/account/security'),
  SVC_AUTH_OAUTH2_CONSENT_PATH: appPath('/oauth2/consent'),
  SVC_AUTH_OAUTH2_LOGOUT_PATH: appPath('/oauth2/logout'),
  SVC_AUTH_OAUTH2_DEVICE_PATH: appPath('/device'),
  // Two minutes: a client that has not asked again by then has got its response.
  SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS: integer({ initial: 20, min: 0, max: 120 }),
  SVC_AUTH_DPOP_NONCE: flag(false),
  SVC_AUTH_AGENTS_PATH: appPath('/account/agents'),
  SVC_AUTH_APPROVALS_PATH: appPath('/account/approvals'),
  SVC_AUTH_LINK_MAIL_DELIVERY: oneOf('auto', 'inline', 'queued'),
  SVC_AUTH_KAKAO_ADMIN_KEY: optional,
  SVC_AUTH_PASSKEY_CHALLENGE_TTL_SECONDS: integer({ initial: 300, min: 1 }),
  SVC_AUTH_RECENT_AUTH_MINUTES: integer({ initial: 10, min: 1 }),
  SVC_AUTH_PASSKEY_RECENT_AUTH_MINUTES: integer({ initial: undefined, min: 1 }),
  SVC_AUTH_ADMIN_RECENT_AUTH_MINUTES: integer({ initial: 60, min: 1 }),
  SVC_AUTH_MFA_STEP_UP_MINUTES: integer({ initial: 10, min: 1 }),
  SVC_AUTH_MFA_CHALLENGE_TTL_MINUTES: integer({ initial: 10, min: 1 }),
  SVC_AUTH_MFA_CONFIRM_PATH: appPath('/auth/mfa'),
  SVC_AUTH_BOUND_KEY_TTL_HOURS: integer({ initial: 24, min: 1 }),
  SVC_AUTH_BOUND_KEY_RENEW_GRACE_HOURS: integer({ initial: 168, min: 0 }),
  SVC_AUTH_CONCURRENT_USE_WINDOW_MS: integer({ initial: 300_000, min: 1 }),
})

type Variables = ReturnType<typeof readVariables>
export type AuthEnv = ReturnType<typeof readAuthEnv>

// The strength of HMAC-SHA-256: a shorter secret could be found from one token it signed.
const secretLength = 32

/**
 * The variables without rules of their own. The others, such as the providers, are read in their
 * folders. The lifecycle calls every reader as it starts, and nothing else reads the environment.
 */
export function readAuthEnv(source: EnvironmentSource) {
  const env = readVariables(source)
  const problems = [...unusable(env), ...unsafeInProduction(env)]
  if (problems.length > 0) throw new EnvironmentError(problems)
  const range = env.SVC_AUTH_BREACHED_PASSWORDS_URL ?? 'https://api.pwnedpasswords.com/range'
  return {
    ...env,
    SVC_AUTH_COOKIE_SECURE: env.SVC_AUTH_COOKIE_SECURE ?? env.NODE_ENV === 'production',
    SVC_AUTH_BREACHED_PASSWORDS_URL: range,
    SVC_AUTH_PASSKEY_RECENT_AUTH_MINUTES:
      env.SVC_AUTH_PASSKEY_RECENT_AUTH_MINUTES ?? env.SVC_AUTH_RECENT_AUTH_MINUTES,
  }
}

function unusable(env: Variables) {
  return [
    (env.SVC_AUTH_JWT_SECRET?.length ?? secretLength) < secretLength &&
      `SVC_AUTH_JWT_SECRET must have at least ${secretLength} characters`,
    env.SVC_AUTH_USERNAME_MIN_LENGTH > env.SVC_AUTH_USERNAME_MAX_LENGTH &&
      'SVC_AUTH_USERNAME_MIN_LENGTH must not be greater than SVC_AUTH_USERNAME_MAX_LENGTH',
    env.SVC_AUTH_PASSWORD_SCHEME === 'argon2id' &&
      !hasArgon2 &&
      'SVC_AUTH_PASSWORD_SCHEME can be argon2id only on Node 24.7 or newer',
  ].filter((problem) => problem !== false)
}

function unsafeInProduction(env: Variables) {
  if (env.NODE_ENV !== 'production') return []
  return [
    env.SVC_AUTH_VERIFICATION_TOKEN_SECRET.length < secretLength &&
      `SVC_AUTH_VERIFICATION_TOKEN_SECRET must have at least ${secretLength} characters`,
    !env.SVC_RATE_LIMIT && 'SVC_RATE_LIMIT cannot be off in production',
  ].filter((problem) => problem !== false)
}
