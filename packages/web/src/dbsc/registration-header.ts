import type { WebSession } from '../session/session.ts'
import type { WebAuth } from '../web-auth.ts'
import { mintChallenge } from './browser-proof.ts'
import { boundSessionPaths } from './paths.ts'

/**
 * Asks the browser to register a key, if the session has none. Browsers without DBSC ignore the
 * header.
 */
export async function registrationHeader(web: WebAuth, { keyId, browser }: WebSession) {
  if (!web.env.SVC_AUTH_DBSC || browser) return null
  const challenge = await mintChallenge(web, { step: 'register', keyId })
  return `(ES256 RS256);path="${boundSessionPaths.register}";challenge="${challenge}"`
}
