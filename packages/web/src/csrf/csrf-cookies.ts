import type { Turn } from '../auth-operations/outcome.ts'
import type { WebSession } from '../session/web-session.ts'

/** The cookie that pages copy into `x-svc-csrf`, for as long as the session. */
export async function csrfCookie({ web }: Pick<Turn, 'web'>, session: WebSession) {
  const value = await web.csrf.tokenFor(session)
  return web.cookies.set('svc_csrf', { value, maxAgeSeconds: web.sessions.ttlMillis() / 1000 })
}

/** Whether the browser holds none, or another session's. */
export async function lacksCsrfCookie({ web, call }: Turn, session: WebSession) {
  const held = web.cookies.valuesOf(call.request.headers.get('cookie'), 'svc_csrf')
  return held.length !== 1 || held[0] !== (await web.csrf.tokenFor(session))
}
