import type { BoundBrowser } from '../session/bound-browser.ts'
import type { WebAuth } from '../web-auth.ts'
import { boundSessionPaths } from './paths.ts'

/** Tells the browser which cookie it has to have, and where it gets it. */
export function instructions({ cookies }: WebAuth, { sessionId }: BoundBrowser) {
  return {
    session_identifier: sessionId,
    refresh_url: boundSessionPaths.refresh,
    scope: { include_site: false },
    credentials: [{ type: 'cookie', ...cookies.described('svc_session_proof') }],
  }
}

/** Ends what the browser calls a session, and nothing that it holds in cookies. */
export function endInstructions(sessionId: string) {
  return { session_identifier: sessionId, continue: false }
}
