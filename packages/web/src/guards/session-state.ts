import { KeyExpiredError } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { resumePath } from '../dbsc/resume.ts'
import type { OpenSession } from '../session/web-sessions.ts'
import type { WebAuth } from '../web-auth.ts'

/** Why a page cannot be shown as whoever asks for it. */
export type LackingState =
  | 'signed out'
  /** The session is bound to the browser, which has not proved lately that it is the one, or is getting a new key. */
  | 'to prove'
  /** The browser still has the session of a key that the API takes no more. */
  | 'ended'
  /** The key is bound to a passkey and has run out: it can be renewed. */
  | 'to renew'

/** The state of whoever sent these cookies, and has no session that signs. */
export async function stateWithout(
  { sessions }: Pick<WebAuth, 'sessions'>,
  cookies: string | null,
) {
  return (await sessions.held(cookies)) === null ? 'signed out' : 'to prove'
}

/** What a refusal of the API says of the session that signed; null where it says nothing of it. */
export function stateAfter(
  { env, retired }: Pick<WebAuth, 'env' | 'retired'>,
  { session }: Pick<OpenSession, 'session'>,
  error: unknown,
) {
  const isExpired = error instanceof KeyExpiredError
  if (isExpired && session.isBound) return 'to renew'
  if (!isExpired && !(error instanceof UnauthorizedError)) return null
  return env.SVC_AUTH_DBSC && retired.has(session.keyId) ? 'to prove' : 'ended'
}

interface Way {
  loginPath: string
  returnTo?: string | undefined
}

/** Where whoever lacks a session is sent: to sign in, to prove the browser, or to renew a bound session. */
export function wayIn(
  { env }: Pick<WebAuth, 'env'>,
  state: LackingState,
  { loginPath, returnTo }: Way,
) {
  if (state === 'to prove') return resumePath({ loginPath, returnTo })
  const path = state === 'to renew' ? env.SVC_AUTH_SESSION_RENEW_PATH : loginPath
  return returnTo ? `${path}?${new URLSearchParams({ returnTo })}` : path
}
