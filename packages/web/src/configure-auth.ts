import { type AuthConfiguration, configured, readsConfiguration } from '@svc/auth'
import { duration } from '@svc/core/env'

const csrfModes = ['off', 'warn', 'enforce'] as const

export type CsrfMode = (typeof csrfModes)[number]

// What is not checked by the compiler would otherwise be taken for `warn`.
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

/** What code says of CSRF; the variable says the rest. */
export function configuredCsrf() {
  return configured().csrf ?? {}
}

/** Null where the variable says it. */
export function configuredTtlMillis() {
  const { sessionTtl } = configured()
  return sessionTtl === undefined ? null : millisOf(sessionTtl)
}
