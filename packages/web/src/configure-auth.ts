import { duration } from '@svc/core/env'

export interface WebAuthConfiguration {
  /** How calls that another site may have caused are told apart. Wins over `SVC_AUTH_CSRF`. */
  csrf?: {
    mode?: CsrfMode
    /** Paths of the API, as they are called, of operations that check who is calling by themselves. */
    exemptPaths?: readonly string[]
  }
  /** How long a session lives that is not used, such as `7d`. Wins over `SVC_AUTH_SESSION_TTL`. */
  sessionTtl?: string
}

const csrfModes = ['off', 'warn', 'enforce'] as const

export type CsrfMode = (typeof csrfModes)[number]

let configuration: WebAuthConfiguration & { sessionTtlMillis?: number } = {}

/** Sets what the web layer does throughout this process. What is not named stays as it was. */
export function configureAuth(changes: WebAuthConfiguration): void {
  const { csrf, sessionTtl } = changes
  // What is not checked by the compiler would otherwise be taken for `warn`.
  if (csrf?.mode !== undefined && !csrfModes.includes(csrf.mode)) {
    throw new TypeError(`csrf.mode must be one of ${csrfModes.join(', ')}`)
  }
  const ttl = sessionTtl === undefined ? {} : { sessionTtlMillis: millisOf(sessionTtl) }
  configuration = { ...configuration, ...changes, ...ttl }
}

function millisOf(text: string) {
  const read = duration('7d')(text)
  if ('problem' in read) throw new TypeError(`sessionTtl ${read.problem}`)
  return read.value
}

/** @internal */
export function configured(): Readonly<typeof configuration> {
  return configuration
}
