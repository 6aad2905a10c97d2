import { isIPv6 } from 'node:net'
import { developmentSecrets } from './development-secrets.ts'

export { newKeyId, type Secret, secrets } from './secrets.ts'

/** The environment of both parts: the given variables, and in development the missing ones. */
export function partsEnvironment(given: NodeJS.ProcessEnv, { isApiOnly = false } = {}) {
  const ports = { api: Number(given['SVC_PORT'] || 8790), web: Number(given['PORT'] || 3790) }
  const host = reachedAt(given)
  const urls = { api: `http://${host}:${ports.api}`, web: `http://${host}:${ports.web}` }
  const isProduction = given['NODE_ENV'] === 'production'
  const local = {
    SVC_APP_URL: urls.web,
    NEXT_PUBLIC_SVC_API_URL: urls.api,
    NEXT_PUBLIC_SVC_APP_URL: urls.web,
    ...(isApiOnly && !hasApp(given) && { SVC_AUTH_OAUTH2_ISSUER: urls.api }),
  }
  const secrets = developmentSecrets(given)
  const env: NodeJS.ProcessEnv = {
    SVC_PORT: `${ports.api}`,
    PORT: `${ports.web}`,
    SVC_API_URL: urls.api,
    ...(isProduction ? {} : local),
    ...given,
    ...secrets,
  }
  return { env, ports, urls, signIn: signInOf(secrets) }
}

/**
 * A server that listens on every address is reached at this machine's own. One that listens on a
 * single address is reached only there.
 */
function reachedAt({ SVC_HOST = '' }: NodeJS.ProcessEnv) {
  if (['', '0.0.0.0', '::'].includes(SVC_HOST)) return 'localhost'
  // As `urlHost` of @svc/core writes it. `npm start` runs this before that package is built.
  return isIPv6(SVC_HOST) ? `[${SVC_HOST.replace(/%.*$/, '')}]` : SVC_HOST
}

/**
 * Agents look for the authorization server at the app's address, which works only if an app runs.
 */
function hasApp({ SVC_APP_URL, NEXT_PUBLIC_SVC_APP_URL }: NodeJS.ProcessEnv) {
  return Boolean(SVC_APP_URL || NEXT_PUBLIC_SVC_APP_URL)
}

const ofServerAlone =
  /^(?:DATABASE_URL(?:_DIRECT|_REPLICA)?|CACHE_URL|SVC_MAIL_URL|SVC_SMS_URL|SVC_OPS_METRICS_TOKEN|SVC_AUTH_(?:ADMIN_\w+|VERIFICATION_TOKEN_SECRET|JWT_SECRET|TOKEN_ENCRYPTION_KEYS|\w+_CLIENT_SECRET|KAKAO_ADMIN_KEY))(?:_FILE)?$/

/**
 * The environment of the web app, without secrets that only the server may have. A build is built
 * and served for production.
 */
export function webEnvironment(
  env: NodeJS.ProcessEnv,
  { isWatching = false } = {},
): NodeJS.ProcessEnv {
  const given = Object.entries(env).filter(([name]) => !ofServerAlone.test(name))
  if (isWatching) return { ...Object.fromEntries(given), NODE_ENV: 'development' }
  // Safari accepts no Secure cookie over http, not even on localhost.
  const cookies = isPlainHttp(env) ? { SVC_AUTH_COOKIE_SECURE: 'off' } : {}
  // Served as in production on a developer's machine, where no balancer has to notice that it
  // stops.
  const delay = env['NODE_ENV'] === 'production' ? {} : { SVC_SHUTDOWN_DELAY: '0s' }
  return { ...cookies, ...delay, ...Object.fromEntries(given), NODE_ENV: 'production' }
}

function isPlainHttp({ NODE_ENV, SVC_APP_URL }: NodeJS.ProcessEnv) {
  return NODE_ENV !== 'production' && (SVC_APP_URL ?? '').startsWith('http:')
}

/** Shows only a password that was generated here. One that you have set is not printed. */
function signInOf({
  SVC_AUTH_ADMIN_EMAIL: email,
  SVC_AUTH_ADMIN_PASSWORD: password,
}: NodeJS.ProcessEnv) {
  return email && password ? { email, password } : null
}
