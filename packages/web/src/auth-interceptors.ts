import { requestSigner } from '@svc/core/client'
import type { EnvironmentSource } from '@svc/core/env'
import { flows } from './auth-operations/flows.ts'
import type { Flow, Outcome, Turn } from './auth-operations/outcome.ts'
import { csrfCookie, lacksCsrfCookie } from './csrf/csrf-cookies.ts'
import { refuseForged } from './csrf/refuse-forged.ts'
import { isNextBuild } from './env.ts'
import type { Interceptor } from './proxy/interceptor.ts'
import { isKeyDead } from './session/is-key-dead.ts'
import { createWebAuth, sharedWebAuth } from './web-auth.ts'

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
    if (forged) return withCookies(forged, [await csrfCookie(turn, opened.session)])
    const outcome = await (flows.get(call.name) ?? pass)(turn)
    const cookies = [...(await sessionCookies(turn, outcome)), ...(outcome.cookies ?? [])]
    return withCookies(outcome.answer, cookies)
  }
}

function webAuthOf(env: EnvironmentSource | undefined) {
  return env ? createWebAuth(env) : sharedWebAuth()
}

/** An operation that has nothing to do with the session but to be signed. */
const pass: Flow = async ({ call, next }) => ({ answer: await next(call) })

async function sessionCookies(turn: Turn, { answer, session }: Outcome) {
  const { web, opened } = turn
  if (session) return bothCookies(turn, session)
  if (!opened) return []
  if (session === null || (await isKeyDead(answer))) {
    return [web.cookies.clear('svc_session'), web.cookies.clear('svc_csrf')]
  }
  if (web.sessions.isToRenew(opened)) return bothCookies(turn, opened.session)
  const isLacking = await lacksCsrfCookie(turn, opened.session)
  return isLacking ? [await csrfCookie(turn, opened.session)] : []
}

function bothCookies(turn: Turn, session: NonNullable<Outcome['session']>) {
  return Promise.all([turn.web.sessions.cookie(session), csrfCookie(turn, session)])
}

/** What depends on a cookie is kept by no cache, and what sets one is for nobody else. */
function withCookies(answer: Response, cookies: readonly string[]) {
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  answer.headers.append('vary', 'Cookie')
  answer.headers.set('cache-control', 'no-store')
  return answer
}
