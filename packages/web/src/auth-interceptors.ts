import type { AnyContract } from '@svc/auth/contract'
import { requestSigner } from '@svc/core/client'
import type { EnvironmentSource } from '@svc/core/env'
import {
  flowsOf,
  type Outcome,
  pass,
  type Turn,
  withKnownBrowser,
} from './auth-operations/auth-operations.ts'
import { csrfCookie, lacksCsrfCookie, refuseForged } from './csrf/csrf.ts'
import { registrationHeader } from './dbsc/dbsc.ts'
import { isNextBuild } from './env.ts'
import type { Interceptor } from './proxy/proxy.ts'
import { clearedCookies, isKeyDead, type OpenSession, type WebSession } from './session/session.ts'
import { webAuthOf } from './web-auth.ts'

/** For `authInterceptors`: the variables, and the capabilities besides ours. */
export interface AuthInterceptorOptions {
  /** Where to read the variables from; the process's own unless given. */
  env?: EnvironmentSource
  /** The contracts of further capabilities, as `createAuthRouter` has them: `browser` says what the proxy does. */
  contracts?: readonly AnyContract[]
}

/**
 * Keeps the session: opens its cookie, refuses calls that another site may have caused, signs the
 * call with the session's key, and sets or clears cookies after the answer.
 */
export function authInterceptors({
  env,
  contracts = [],
}: AuthInterceptorOptions = {}): Interceptor {
  const flows = flowsOf(contracts)
  let web = isNextBuild() ? undefined : webAuthOf(env)
  return async (call, next) => {
    web ??= webAuthOf(env)
    const opened = await web.sessions.open(call.request.headers.get('cookie'))
    const sign = opened ? requestSigner(opened.key) : undefined
    const turn: Turn = { web, call: { ...call, ...(sign && { sign }) }, opened, next }
    const forged = opened && (await refuseForged(web, call, opened))
    if (forged) return personal(forged, setting(await csrfCookie(turn, opened.session)))
    const outcome = await (flows.get(call.name) ?? pass)(await withKnownBrowser(turn))
    const headers = [
      ...(await sessionHeaders(turn, outcome)),
      ...setting(...(outcome.cookies ?? [])),
    ]
    return opened ? personal(outcome.answer, headers) : withHeaders(outcome.answer, headers)
  }
}

type Header = readonly [name: string, value: string]

const setting = (...cookies: string[]) => cookies.map((cookie): Header => ['set-cookie', cookie])

async function sessionHeaders(turn: Turn, outcome: Outcome): Promise<Header[]> {
  const { web, opened } = turn
  if (outcome.session) return newSession(turn, stillBound(outcome.session, opened))
  if (!opened) return []
  if (outcome.session === null) {
    web.retired.add(opened.session.keyId)
    return setting(...clearedCookies(web, opened.session))
  }
  if (web.retired.has(opened.session.keyId)) return []
  if (!outcome.isOfOtherKey && (await isKeyDead(outcome.answer, opened, turn))) {
    // Another call may have replaced it while the API was asked.
    const isReplaced = web.retired.has(opened.session.keyId)
    return isReplaced ? [] : setting(...clearedCookies(web, opened.session))
  }
  if (web.sessions.isToRenew(opened)) return newSession(turn, opened.session)
  const isLacking = await lacksCsrfCookie(turn, opened.session)
  return isLacking ? setting(await csrfCookie(turn, opened.session)) : []
}

/** A new session of the same user stays bound to a browser that has just proved its key. */
function stillBound(session: WebSession, opened: OpenSession | null): WebSession {
  const { userId, browser } = opened?.session ?? {}
  return browser && userId === session.userId ? { ...session, browser } : session
}

async function newSession({ web }: Turn, session: WebSession): Promise<Header[]> {
  const cookies = await Promise.all([web.sessions.cookie(session), csrfCookie({ web }, session)])
  const registration = await registrationHeader(web, session)
  const asking: Header[] = registration ? [['secure-session-registration', registration]] : []
  return [...setting(...cookies), ...asking]
}

/** An answer for one user: no cache may keep it, even if the API allows that. */
function personal(answer: Response, ours: readonly Header[]) {
  const finished = withHeaders(answer, ours)
  finished.headers.set('cache-control', 'no-store')
  return finished
}

/**
 * An answer that sets a cookie is for one browser only. Any other may be different for a request
 * with a cookie.
 */
function withHeaders({ body, status, headers }: Response, ours: readonly Header[]) {
  const answer = new Response(body, { status, headers })
  for (const [name, value] of ours) answer.headers.append(name, value)
  if (answer.headers.has('set-cookie')) answer.headers.set('cache-control', 'no-store')
  answer.headers.append('vary', 'Cookie')
  return answer
}
