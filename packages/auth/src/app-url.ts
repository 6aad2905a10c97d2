import {
  defineEnv,
  EnvironmentError,
  type EnvironmentSource,
  oneOf,
  plain,
  type Variable,
} from '@svc/core'

/** A provider redirects back to a path on the app's host, so the address has no path. */
const webOrigin: Variable<string | undefined> = plain((given) => {
  if (given === undefined) return { value: given }
  const url = URL.parse(given)
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    ? { value: url.origin }
    : { problem: 'must be an address without a path, such as https://app.example.com' }
})

const readVariables = defineEnv({
  NODE_ENV: oneOf('development', 'test', 'production'),
  SVC_APP_URL: webOrigin,
  NEXT_PUBLIC_SVC_APP_URL: webOrigin,
  SVC_AUTH_OAUTH2_ISSUER: webOrigin,
})

/**
 * The origin at which browsers find the web app. Mailed links are built on it, never on a request's
 * headers.
 */
export function readAppUrl(source: EnvironmentSource) {
  const env = readVariables(source)
  const appUrl = env.NEXT_PUBLIC_SVC_APP_URL ?? env.SVC_APP_URL
  if (appUrl !== undefined) return appUrl
  if (env.NODE_ENV !== 'production') return 'http://localhost:3790'
  throw new EnvironmentError([
    'SVC_APP_URL is required in production: set it to the address of the web app, where mailed links lead',
  ])
}

/** Where agents find the authorization server: at the app's address unless it is set. */
export function readIssuerUrl(source: EnvironmentSource) {
  return readVariables(source).SVC_AUTH_OAUTH2_ISSUER ?? readAppUrl(source)
}
