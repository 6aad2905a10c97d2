import type { Cookies } from './cookies.ts'
import type { WebSession } from './web-sessions.ts'

/** Ends a session in its browser. */
export function clearedCookies(
  { cookies }: { readonly cookies: Cookies },
  { browser }: WebSession,
) {
  const both = [cookies.clear('svc_session'), cookies.clear('svc_csrf')]
  return browser ? [...both, cookies.clear('svc_session_proof')] : both
}
