import type { WebAuth } from '../web-auth.ts'
import type { WebSession } from './web-session.ts'

/** Ends a session in its browser. */
export function clearedCookies({ cookies }: Pick<WebAuth, 'cookies'>, { browser }: WebSession) {
  const both = [cookies.clear('svc_session'), cookies.clear('svc_csrf')]
  return browser ? [...both, cookies.clear('svc_session_proof')] : both
}
