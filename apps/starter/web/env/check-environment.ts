import { readWebEnv } from '@svc/web/proxy'

/** Throws one error that names every variable that is missing or wrong. */
export function checkEnvironment() {
  // Calls that another site may have caused are refused, and not only logged, unless you set the
  // variable.
  process.env.SVC_AUTH_CSRF ||= 'enforce'
  readWebEnv()
}
