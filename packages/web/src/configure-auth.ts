import { type AuthConfiguration, configured, readsConfiguration } from '@svc/auth'
import { duration } from '@svc/core/env'

const csrfModes = ['off', 'warn', 'enforce'] as const

/**
 * What happens to a call that another site may have caused: `enforce` refuses it, `warn` logs it.
 */
export type CsrfMode = (typeof csrfModes)[number]

// The compiler doesn't check this value, and a wrong one would be taken for `warn`.
readsConfiguration({ csrf: checkCsrf, sessionTtl: (text) => void millisOf(text) })

function checkCsrf({ mode }: NonNullable<AuthConfiguration['csrf']>) {
  if (mode !== undefined && !csrfModes.includes(mode)) {
    throw new TypeError(`csrf.mode must be one of ${csrfModes.join(', ')}`)
  }
}

function millisOf(text: string) {
  const read = duration('7d')(text)
  if ('problem' in read) throw new TypeError(`sessionTtl ${read.problem}`)
  return read.value
}

/** What `configureAuth` says of CSRF; the variable says the rest. */
export function configuredCsrf() {
  return configured().csrf ?? {}
}

/** Null if the variable sets it. */
export function configuredTtlMillis() {
  const { sessionTtl } = configured()
  return sessionTtl === undefined ? null : millisOf(sessionTtl)
}
