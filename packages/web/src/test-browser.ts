import { authRouteMap } from '@svc/auth'
import { startTestAuth, type TestAuth, type TestAuthOptions } from '@svc/auth/testing'
import type { RouteMap } from '@svc/core/client'
import { vi } from 'vitest'
import { authInterceptors, createRpcProxy } from './proxy.ts'

/** From here on the proxy is on a host that isn't Node: it sends by `fetch`, which a test can watch or replace. */
export function leaveNode() {
  vi.stubGlobal('navigator', { userAgent: 'Host/1' })
}

export const testSecret = 'Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne5Ai-oTq_'

export interface TestWebOptions extends TestAuthOptions {
  /** Variables of the web process. */
  webEnv?: Record<string, string>
  routeMap?: RouteMap
}

export interface TestWeb {
  api: TestAuth
  env: Record<string, string>
  proxy: Proxy
  /** Another proxy before the same API, as of another process: what one has set, each of them opens. */
  proxyWith: (otherEnv: Record<string, string | undefined>) => Proxy
  /** Before a proxy of its own where it is given variables. */
  browser: (otherEnv?: Record<string, string>) => TestBrowser
}

/** An API with sign-in, and a web app's proxy before it. */
export async function startTestWeb({
  webEnv = {},
  routeMap = {},
  ...given
}: TestWebOptions = {}): Promise<TestWeb> {
  const api = await startTestAuth(given)
  const env = {
    SVC_API_URL: api.url,
    SVC_AUTH_SESSION_SECRET: testSecret,
    SVC_AUTH_CSRF: 'enforce',
    ...webEnv,
  }
  const contracts = (given.options?.capabilities ?? []).map(({ contract }) => contract)
  const proxyWith: TestWeb['proxyWith'] = (otherEnv) => {
    const variables = { ...env, ...otherEnv }
    return createRpcProxy({
      routeMap: { ...authRouteMap, ...routeMap },
      contracts,
      apiUrl: api.url,
      interceptors: [authInterceptors({ env: variables, contracts })],
      env: variables,
    })
  }
  const proxy = proxyWith({})
  const browser: TestWeb['browser'] = (otherEnv) =>
    new TestBrowser(otherEnv ? proxyWith(otherEnv) : proxy)
  return { api, env, proxy, proxyWith, browser }
}

type Proxy = ReturnType<typeof createRpcProxy>

/** A browser as far as the proxy sees it: it keeps cookies, and copies the token of its pages into the header. */
export class TestBrowser {
  readonly cookies = new Map<string, string>()
  readonly #proxy: Proxy

  constructor(proxy: Proxy) {
    this.#proxy = proxy
  }

  /** Calls as a page of the web app does. */
  call(name: string, body?: unknown, headers: Record<string, string> = {}) {
    const token = this.cookies.get('svc_csrf')
    return this.send(name, body, { ...(token && { 'x-svc-csrf': token }), ...headers })
  }

  /** Sends exactly this, and keeps what cookies come back. */
  async send(name: string, body?: unknown, headers: Record<string, string> = {}) {
    const request = new Request(`http://web.test/api/rpc/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: this.cookieHeader(), ...headers },
      body: JSON.stringify(body === undefined ? {} : { body }),
    })
    return this.keep(await this.#proxy.POST(request))
  }

  cookieHeader() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Does with its cookies what an answer says. */
  keep(answer: Response) {
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie)
    return answer
  }

  #keep(cookie: string) {
    const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? []
    if (/; Max-Age=0(?:;|$)/.test(rest)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
