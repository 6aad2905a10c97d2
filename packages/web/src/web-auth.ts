import type { EnvironmentSource } from '@svc/core/env'
import { configuredTtlMillis } from './configure-auth.ts'
import { CsrfTokens } from './csrf/csrf.ts'
import { readWebEnv, type WebEnv } from './env.ts'
import { Cookies, RetiredKeys, Sealer, WebSessions } from './session/session.ts'

/** The parts of the web layer in one process. */
export interface WebAuth {
  readonly env: WebEnv
  readonly cookies: Cookies
  readonly sealer: Sealer
  readonly sessions: WebSessions
  readonly csrf: CsrfTokens
  readonly retired: RetiredKeys
}

/** Reads every variable: a web process that lacks one says so here. */
function createWebAuth(source?: EnvironmentSource): WebAuth {
  const env = readWebEnv(source)
  const cookies = new Cookies({ isSecure: env.SVC_AUTH_COOKIE_SECURE })
  const sealer = new Sealer(env.SVC_AUTH_SESSION_SECRET, env.SVC_AUTH_SESSION_SECRET_PREVIOUS)
  const ttlMillis = () => configuredTtlMillis() ?? env.SVC_AUTH_SESSION_TTL
  const sessions = new WebSessions({ sealer, cookies, ttlMillis })
  const csrf = new CsrfTokens(sealer)
  return { env, cookies, sealer, sessions, csrf, retired: new RetiredKeys() }
}

/** One with its own variables if they are given, else the shared one. */
export function webAuthOf(source: EnvironmentSource | undefined): WebAuth {
  return source ? createWebAuth(source) : sharedWebAuth()
}

let shared: WebAuth | undefined

/** The one of this process, so that the proxy and the pages open each session only once. */
export function sharedWebAuth(): WebAuth {
  shared ??= createWebAuth()
  return shared
}
