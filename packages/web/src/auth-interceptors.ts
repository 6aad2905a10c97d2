import { requestSigner } from '@svc/core/client'
import type { EnvironmentSource } from '@svc/core/env'
import { flows } from './auth-operations/flows.ts'
import type { Flow, Outcome, Turn } from './auth-operations/outcome.ts'
import { csrfCookie, lacksCsrfCookie } from './csrf/csrf-cookies.ts'
import { refuseForged } from './csrf/refuse-forged.ts'
import { isNextBuild } from './env.ts'
import type { Interceptor } from './proxy/interceptor.ts'
import { isKeyDead } from './session/is-key-dead.ts'
import { createWebAuth, sharedWebAuth, type WebAuth } from './web-auth.ts'

export interface AuthInterceptorOptions {
  /** Where the variables are read from; the process's own unless given. */
  env?: EnvironmentSource
}

/**
 * Keeps the session: opens its cookie, refuses what another site may have caused, signs the call with the session's
 * key, and sets or clears cookies by what has come of it.
 */
export function authInterceptors({ env }: AuthInterceptorOptions = {}): Interceptor {
  let web = isNextBuild() ? undefined : webAuthOf(env)
  return async (call, next) => {
    web ??= webAuthOf(env)
    const opened = await web.sessions.open(call.request.headers.get('cookie'))
    const sign = opened ? requestSigner(opened.key) : undefined
    const turn: Turn = { web, call: { ...call, ...(sign && { sign }) }, opened, next }
    const forged = opened && (await refuseForged(web, call, opened))
    if (forged) return personal(forged, [await csrfCookie(turn, opened.session)])
    const outcome = await (flows.get(call.name) ?? pass)(turn)
    const cookies = [...(await sessionCookies(turn, outcome)), ...(outcome.cookies ?? [])]
    return opened ? personal(outcome.answer, cookies) : withCookies(outcome.answer, cookies)
  }
}

function webAuthOf(env: EnvironmentSource | undefined) {
  return env ? createWebAuth(env) : sharedWebAuth()
}

/** An operation that has nothing to do with the session but to be signed. */
const pass: Flow = async ({ call, next }) => ({ answer: await next(call) })

async function sessionCookies(turn: Turn, outcome: Outcome) {
  const { web, opened } = turn
  if (outcome.session) return bothCookies(turn, outcome.session)
  if (!opened) return []
  if (outcome.session === null) {
    web.retired.add(opened.session.keyId)
    return clearedCookies(web)
  }
  if (web.retired.has(opened.session.keyId)) return []
  if (!outcome.isOfOtherKey && (await isKeyDead(outcome.answer, opened, turn))) {
    // Another call may have replaced it while the API was asked.
    return web.retired.has(opened.session.keyId) ? [] : clearedCookies(web)
  }
  if (web.sessions.isToRenew(opened)) return bothCookies(turn, opened.session)
  const isLacking = await lacksCsrfCookie(turn, opened.session)
  return isLacking ? [await csrfCookie(turn, opened.session)] : []
}

function clearedCookies({ cookies }: WebAuth) {
  return [cookies.clear('svc_session'), cookies.clear('svc_csrf')]
}

function bothCookies(turn: Turn, session: NonNullable<Outcome['session']>) {
  return Promise.all([turn.web.sessions.cookie(session), csrfCookie(turn, session)])
}

/** An answer to who is signed in: no cache keeps it, whatever the API says of it. */
function personal(answer: Response, cookies: readonly string[]) {
  const finished = withCookies(answer, cookies)
  finished.headers.set('cache-control', 'no-store')
  return finished
}

/** What sets a cookie is for nobody else, and whoever brings one may be answered something else. */
function withCookies({ body, status, headers }: Response, cookies: readonly string[]) {
  const answer = new Response(body, { status, headers })
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  if (answer.headers.has('set-cookie')) answer.headers.set('cache-control', 'no-store')
  answer.headers.append('vary', 'Cookie')
  return answer
}
