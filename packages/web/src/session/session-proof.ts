import type { BoundBrowser } from './bound-browser.ts'
import type { Cookies } from './cookies.ts'
import type { Sealer } from './sealer.ts'

interface Given {
  readonly sealer: Sealer
  readonly cookies: Cookies
}

/** How long somebody who has copied both cookies has them. */
const proofLifeMillis = 5 * 60_000

/**
 * The cookie that says that the browser has just proved its key. It names the session that it is for and no key of the
 * account: a rotation needs no new one, so that whoever has copied it cannot prolong it by rotating.
 */
export async function proofCookie({ sealer, cookies }: Given, { sessionId }: BoundBrowser) {
  const expiresAtMillis = Date.now() + proofLifeMillis
  const value = await sealer.seal('session proof', { sessionId }, expiresAtMillis)
  return cookies.set('svc_session_proof', { value, maxAgeSeconds: proofLifeMillis / 1000 })
}

export async function isProven(
  { sealer, cookies }: Given,
  { sessionId }: BoundBrowser,
  cookieHeader: string | null,
) {
  const value = cookies.valueOf(cookieHeader, 'svc_session_proof')
  const proof = value === null ? null : await sealer.open('session proof', value, Date.now())
  return proof?.content.sessionId === sessionId
}
