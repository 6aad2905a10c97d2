import type { ProxyCall } from '../proxy/interceptor.ts'
import type { Cookies } from '../session/cookies.ts'
import type { WebSession } from '../session/web-session.ts'
import type { WebSessions } from '../session/web-sessions.ts'
import type { CsrfTokens } from './csrf-token.ts'

interface Needs {
  readonly web: {
    readonly csrf: CsrfTokens
    readonly cookies: Cookies
    readonly sessions: Pick<WebSessions, 'ttlMillis'>
  }
}

/** The cookie that pages copy into `x-svc-csrf`, for as long as the session. */
export async function csrfCookie({ web }: Needs, session: WebSession) {
  const value = await web.csrf.tokenFor(session)
  return web.cookies.set('svc_csrf', { value, maxAgeSeconds: web.sessions.ttlMillis() / 1000 })
}

/** Whether the browser holds none, or another session's. */
export async function lacksCsrfCookie(
  { web, call }: Needs & { readonly call: ProxyCall },
  session: WebSession,
) {
  const held = web.cookies.valuesOf(call.request.headers.get('cookie'), 'svc_csrf')
  return held.length !== 1 || held[0] !== (await web.csrf.tokenFor(session))
}
