import {
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

const readVariables = defineEnv({
  NODE_ENV: oneOf('development', 'test', 'production'),
  SVC_APP_URL: webAddress,
  NEXT_PUBLIC_SVC_APP_URL: webAddress,
  SVC_RATE_LIMIT: flag(true),
  SVC_AUTH_VERIFICATION_TOKEN_SECRET: required,
  SVC_AUTH_REQUEST_BINDING: oneOf('strict', 'bearer'),
  SVC_AUTH_JWT_SECRET: optional,
  SVC_AUTH_JWT_EXPIRES_IN: duration('1h'),
  SVC_AUTH_SESSION_TTL: duration('7d'),
  SVC_AUTH_BCRYPT_SALT_ROUNDS: integer({ initial: 12, min: 4, max: 16 }),
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
  SVC_AUTH_MFA_STEP_UP_MINUTES: integer({ initial: 10, min: 1 }),
  SVC_AUTH_CONCURRENT_USE_WINDOW_MS: integer({ initial: 300_000, min: 1 }),
  SVC_AUTH_AUDIT_RETENTION_DAYS: integer({ initial: 365, min: 1 }),
})

export type AuthEnv = ReturnType<typeof readVariables>

// The strength of HMAC-SHA-256: a shorter secret could be found from one token it signed.
const secretLength = 32

/** Every variable that the service itself reads. No other file of this package reads the environment. */
export function readAuthEnv(source: EnvironmentSource): AuthEnv {
  const env = readVariables(source)
  const problems = [...weakSecrets(env), ...unsafeInProduction(env)]
  if (problems.length > 0) throw new EnvironmentError(problems)
  return env
}

function weakSecrets(env: AuthEnv) {
  const { SVC_AUTH_JWT_SECRET: legacy } = env
  return legacy !== undefined && legacy.length < secretLength
    ? [`SVC_AUTH_JWT_SECRET must have at least ${secretLength} characters`]
    : []
}

function unsafeInProduction(env: AuthEnv) {
  if (env.NODE_ENV !== 'production') return []
  return [
    env.SVC_AUTH_VERIFICATION_TOKEN_SECRET.length < secretLength &&
      `SVC_AUTH_VERIFICATION_TOKEN_SECRET must have at least ${secretLength} characters`,
    !env.SVC_RATE_LIMIT && 'SVC_RATE_LIMIT cannot be off in production',
  ].filter((problem) => problem !== false)
}
