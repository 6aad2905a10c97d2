import { type AuthSession, createAuthApi, KeyExpiredError } from '@svc/auth'
import { requestSigner, type SignRequest, UnauthorizedError } from '@svc/core/client'
import { headers } from 'next/headers.js'
import { cache } from 'react'
import { resumePath } from '../dbsc/dbsc.ts'
import { watchedFetch } from '../outage/outage.ts'
import { voucher } from '../proxy-guard/proxy-guard.ts'
import type { OpenSession } from '../session/session.ts'
import { sharedWebAuth, type WebAuth } from '../web-auth.ts'

/** The visitor of a page, as the API knows them. */
export type Visitor =
  | { readonly state: 'signed in'; readonly session: AuthSession }
  | { readonly state: LackingState }

/** The session cookie that came with the request for a page. */
const openedSession = cache(async () => {
  const { sessions } = sharedWebAuth()
  return sessions.open((await headers()).get('cookie'))
})

/** Signs as the web app that asks about the visitor. */
const vouch = cache(async () => voucher(sharedWebAuth().env)(await headers()))

/** Signs as the visitor of the page, if they are signed in. */
export const signAsVisitor: SignRequest = async (request) => {
  const opened = await openedSession()
  const signed = opened && (await requestSigner(opened.key)(request))
  return { ...signed, ...(await (await vouch())(request)) }
}

/** Asks the API, once for each page: a key that was revoked a moment ago is refused. */
export const visitor = cache(async (): Promise<Visitor> => {
  const opened = await openedSession()
  const web = sharedWebAuth()
  if (!opened) return { state: await stateWithout(web, (await headers()).get('cookie')) }
  const api = createAuthApi({
    baseUrl: web.env.SVC_API_URL,
    sign: signAsVisitor,
    fetch: watchedFetch,
  })
  try {
    return { state: 'signed in', session: await api.getAuthSession.call() }
  } catch (error) {
    const state = stateAfter(web, opened, error)
    if (state) return { state }
    // An API that is down says nothing about who may see the page.
    throw error
  }
})

/** Why a page can't be shown as its visitor. */
export type LackingState =
  | 'signed out'
  /** The session is bound to the browser, which has no recent proof, or is getting a new key. */
  | 'to prove'
  /** The browser still has the session of a key that the API no longer accepts. */
  | 'ended'
  /** The key is bound to a passkey and has expired: it can be renewed. */
  | 'to renew'

/** The state of a visitor with these cookies, but without a session that signs. */
export async function stateWithout(
  { sessions }: Pick<WebAuth, 'sessions'>,
  cookies: string | null,
) {
  return (await sessions.held(cookies)) === null ? 'signed out' : 'to prove'
}

/**
 * What a refusal of the API says about the session that signed; null if it says nothing about it.
 */
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

/**
 * Where to send a visitor without a session: to sign in, to prove the browser, or to renew a bound
 * session.
 */
export function wayIn(
  { env }: Pick<WebAuth, 'env'>,
  state: LackingState,
  { loginPath, returnTo }: Way,
) {
  if (state === 'to prove') return resumePath({ loginPath, returnTo })
  const path = state === 'to renew' ? env.SVC_AUTH_SESSION_RENEW_PATH : loginPath
  return returnTo ? `${path}?${new URLSearchParams({ returnTo })}` : path
}
