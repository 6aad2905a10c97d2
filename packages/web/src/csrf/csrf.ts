import { type CsrfMode, configuredCsrf } from '../configure-auth.ts'
import { type ProxyCall, prepareCall } from '../proxy/proxy.ts'
import type { Cookies, OpenSession, Sealer, WebSession, WebSessions } from '../session/session.ts'

/**
 * Tokens by which a page proves that it is ours: only our pages can read the cookie that holds one.
 */
export class CsrfTokens {
  readonly #sealer: Sealer
  /** The tokens of open sessions: each call checks whether the browser has the right one. */
  readonly #known = new WeakMap<WebSession, Promise<string>>()

  constructor(sealer: Sealer) {
    this.#sealer = sealer
  }

  /** An HMAC of the session's key id in hex, under a key that is derived from the session secret. */
  tokenFor(session: WebSession) {
    const token = this.#known.get(session) ?? this.#tokenOf(session.keyId)
    this.#known.set(session, token)
    return token
  }

  async #tokenOf(keyId: string) {
    const mac = await crypto.subtle.sign('HMAC', await this.#key(), bytesOf(keyId))
    return Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }

  /** Whether it is the session's own token. WebCrypto compares in constant time. */
  async isTokenOf(keyId: string, token: string | null) {
    if (!token || !/^[0-9a-f]{64}$/.test(token)) return false
    const mac = Uint8Array.from(token.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
    return crypto.subtle.verify('HMAC', await this.#key(), mac, bytesOf(keyId))
  }

  #key() {
    return this.#sealer.macKey('csrf')
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

interface CsrfCookiesNeeds {
  readonly web: {
    readonly csrf: CsrfTokens
    readonly cookies: Cookies
    readonly sessions: Pick<WebSessions, 'ttlMillis'>
  }
}

/** The cookie that pages copy into `x-svc-csrf`, for as long as the session. */
export async function csrfCookie({ web }: CsrfCookiesNeeds, session: WebSession) {
  const value = await web.csrf.tokenFor(session)
  return web.cookies.set('svc_csrf', { value, maxAgeSeconds: web.sessions.ttlMillis() / 1000 })
}

/** Whether the browser has none, or another session's. */
export async function lacksCsrfCookie(
  { web, call }: CsrfCookiesNeeds & { readonly call: ProxyCall },
  session: WebSession,
) {
  const held = web.cookies.valuesOf(call.request.headers.get('cookie'), 'svc_csrf')
  return held.length !== 1 || held[0] !== (await web.csrf.tokenFor(session))
}

interface RefuseForgedNeeds {
  readonly csrf: CsrfTokens
  readonly env: { readonly SVC_AUTH_CSRF: CsrfMode }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The refusal of a call that another site may have caused, or null. The session's own token is
 * compared with the header, never the cookie with the header: an attacker who can plant a cookie
 * could send both.
 */
export async function refuseForged(
  web: RefuseForgedNeeds,
  call: ProxyCall,
  { session }: OpenSession,
) {
  const mode = configuredCsrf().mode ?? web.env.SVC_AUTH_CSRF
  // The operation's own method counts: the request to the proxy is nearly always a POST.
  if (mode === 'off' || safeMethods.has(call.operation.method) || isExempt(call)) return null
  if (await web.csrf.isTokenOf(session.keyId, call.request.headers.get('x-svc-csrf'))) return null
  if (mode === 'enforce') return refusal()
  console.warn(
    `${call.name} has no valid x-svc-csrf header. It is allowed because the mode is warn; enforce would refuse it.`,
  )
  return null
}

function isExempt(call: ProxyCall) {
  const { exemptPaths = [] } = configuredCsrf()
  if (exemptPaths.length === 0) return false
  // Without the API's address: a path of the API is exempt wherever the API is mounted.
  const [path = ''] = prepareCall(call, '').url.split('?')
  return exemptPaths.includes(path)
}

/** The two members of the document, and the one by which a client finds the class. */
function refusal() {
  const body = {
    error: 'Forbidden',
    message: 'CSRF token missing or invalid',
    __type: 'ForbiddenError',
  }
  return Response.json(body, { status: 403, headers: { 'cache-control': 'no-store' } })
}
