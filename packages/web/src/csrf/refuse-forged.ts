import { type CsrfMode, configuredCsrf } from '../configure-auth.ts'
import { prepareCall } from '../proxy/api-request.ts'
import type { ProxyCall } from '../proxy/interceptor.ts'
import type { OpenSession } from '../session/web-sessions.ts'
import type { CsrfTokens } from './csrf-token.ts'

interface Needs {
  readonly csrf: CsrfTokens
  readonly env: { readonly SVC_AUTH_CSRF: CsrfMode }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The refusal of a call that another site may have caused, or null. The session's own token is compared with the
 * header, never the cookie with the header: whoever can plant a cookie could send both.
 */
export async function refuseForged(web: Needs, call: ProxyCall, { session }: OpenSession) {
  const mode = configuredCsrf().mode ?? web.env.SVC_AUTH_CSRF
  // The operation's own method counts: what reaches the proxy is a POST nearly always.
  if (mode === 'off' || safeMethods.has(call.operation.method) || isExempt(call)) return null
  if (await web.csrf.isTokenOf(session.keyId, call.request.headers.get('x-svc-csrf'))) return null
  if (mode === 'enforce') return refusal()
  console.warn(
    `${call.name} came without a valid x-svc-csrf. It passes, because the mode is warn; enforce would refuse it.`,
  )
  return null
}

function isExempt(call: ProxyCall) {
  const { exemptPaths = [] } = configuredCsrf()
  if (exemptPaths.length === 0) return false
  // Below no address: a path of the API is exempt wherever the API is mounted.
  const [path = ''] = prepareCall(call, '').url.split('?')
  return exemptPaths.includes(path)
}

/** The two members of the document, and the one by which a client knows the class. */
function refusal() {
  const body = {
    error: 'Forbidden',
    message: 'CSRF token missing or invalid',
    __type: 'ForbiddenError',
  }
  return Response.json(body, { status: 403, headers: { 'cache-control': 'no-store' } })
}
