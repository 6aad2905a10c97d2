import {
  appPath,
  defineEnv,
  duration,
  EnvironmentError,
  type EnvironmentSource,
  flag,
  oneOf,
  type Variable,
  webAddress,
} from '@svc/core/env'
import { proxyGuardVariables } from './proxy-guard/env.ts'
import { previousSecrets, sessionSecret } from './session/session.ts'

/**
 * An attacker who takes over the web process could use it to read every user's provider tokens and
 * second factors.
 */
const absent: Variable<undefined> = (given) =>
  given === undefined
    ? { value: undefined }
    : { problem: 'is for the API only: remove it from the web process' }

const readVariables = defineEnv({
  NODE_ENV: oneOf('development', 'test', 'production'),
  SVC_API_URL: webAddress,
  NEXT_PUBLIC_SVC_API_URL: webAddress,
  NEXT_PUBLIC_SVC_APP_URL: webAddress,
  SVC_APP_URL: webAddress,
  SVC_AUTH_SESSION_SECRET: sessionSecret,
  SVC_AUTH_SESSION_SECRET_PREVIOUS: previousSecrets,
  SVC_AUTH_SESSION_TTL: duration('7d'),
  SVC_AUTH_SESSION_RENEW_PATH: appPath('/auth/renew'),
  SVC_AUTH_COOKIE_SECURE: flag(undefined),
  SVC_AUTH_DBSC: flag(false),
  SVC_AUTH_CSRF: oneOf('warn', 'off', 'enforce'),
  SVC_AUTH_TOKEN_ENCRYPTION_KEYS: absent,
  ...proxyGuardVariables,
})

/** The variables of the web app, read and checked. */
export type WebEnv = ReturnType<typeof readWebEnv>

const buildPhase = 'phase-production-build'

/** Whether Next is building: it evaluates every route then, without secrets. */
export function isNextBuild() {
  return globalThis.process?.env['NEXT_PHASE'] === buildPhase
}

const readAddresses = defineEnv({ SVC_API_URL: webAddress, NEXT_PUBLIC_SVC_API_URL: webAddress })

/**
 * For `env` of next.config.ts: the address of the API for browsers, which is the one for this
 * server unless set. A build without either is refused: its pages would send stream tokens to the
 * visitor's own machine.
 */
export function publicVariables(
  phase: string,
  source?: EnvironmentSource,
): { NEXT_PUBLIC_SVC_API_URL?: string } {
  const { SVC_API_URL, NEXT_PUBLIC_SVC_API_URL = SVC_API_URL } = readAddresses(source)
  if (NEXT_PUBLIC_SVC_API_URL !== undefined) return { NEXT_PUBLIC_SVC_API_URL }
  if (phase !== buildPhase) return {}
  throw new EnvironmentError([
    'NEXT_PUBLIC_SVC_API_URL or SVC_API_URL is required: the build contains the address of the API',
  ])
}

/**
 * Reads every variable of the web process. A proxy may run without Node's environment, so you can
 * give the source.
 */
export function readWebEnv(source?: EnvironmentSource) {
  const { SVC_AUTH_TOKEN_ENCRYPTION_KEYS: _, ...env } = readVariables(source)
  return {
    ...env,
    SVC_API_URL: env.SVC_API_URL ?? 'http://localhost:8790',
    SVC_AUTH_COOKIE_SECURE: env.SVC_AUTH_COOKIE_SECURE ?? env.NODE_ENV === 'production',
  }
}
