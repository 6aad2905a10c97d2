import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Reply {
  status?: number
  headers?: Record<string, string | string[]>
  /** What is sent as JSON. Without it, a page is. */
  json?: unknown
}

/** By method and path, such as `GET /_core/health`. Null is a path that is not there. */
type Replies = Record<string, Reply | null | ((request: IncomingMessage) => Reply)>

export interface Different {
  app?: Replies
  api?: Replies
}

export type TestDeployment = Awaited<ReturnType<typeof startDeployment>>

/** A web app and its API, as far as signing in with Google shows from outside. Each test says what is different. */
export async function startDeployment(address = '127.0.0.1') {
  const app = await startHost(address)
  const api = await startHost(address)
  return {
    app: app.url,
    api: api.url,
    /** Everything is right, but for what is given. */
    behave(different: Different = {}) {
      app.replies = { ...rightApp(app.url), ...different.app }
      api.replies = { ...rightApi, ...different.api }
    },
    stop: () => Promise.all([app.stop(), api.stop()]),
  }
}

async function startHost(address: string) {
  const host = { replies: {} as Replies }
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const reply = host.replies[`${request.method} ${path}`] ?? { status: 404 }
    const {
      status = 200,
      headers = {},
      json,
    } = typeof reply === 'function' ? reply(request) : reply
    const type = json === undefined ? 'text/html' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(json === undefined ? '<p>A page.</p>' : JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  const written = address.includes(':') ? `[${address}]` : address
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  return Object.assign(host, { url: `http://${written}:${port}`, stop })
}

export const providers = (...list: object[]) => ({ json: { providers: list } })
export const google = { id: 'google', web: true, native: false }

const rightApi: Replies = {
  'GET /_core/health': { json: { status: 'ok' } },
  'GET /_auth/oauth/providers': providers(google),
}

function rightApp(app: string): Replies {
  return {
    'GET /': {},
    'GET /_auth/oauth/providers': providers(google),
    'POST /api/rpc/getProviderOAuthUrl': departure(app),
    'GET /_auth/oauth/google/callback': (request) => leadingTo(errorOf(request)),
    'GET /auth/callback': {},
    'GET /auth/error': {},
  }
}

interface Departing {
  redirectUri?: string
  setCookies?: string[]
}

/** What the proxy answers when a sign-in begins. */
export function departure(app: string, { redirectUri, setCookies }: Departing = {}): Reply {
  const authUrl = new URL('https://accounts.example/authorize?state=sealed')
  authUrl.searchParams.set('redirect_uri', redirectUri ?? `${app}/_auth/oauth/google/callback`)
  return { json: { authUrl }, headers: { 'set-cookie': setCookies ?? rightCookies(app) } }
}

export function rightCookies(app: string) {
  const { port } = new URL(app)
  return [
    'svc_oauth_pending=key; Path=/; Max-Age=600; SameSite=Lax; HttpOnly',
    `svc_oauth_csrf_${port}=nonce; Path=/; Max-Age=600; SameSite=Lax; HttpOnly`,
  ]
}

export function leadingTo(error: string): Reply {
  return { status: 302, headers: { location: `/auth/error?error=${error}` } }
}

/** The error that the callback reports for a user who has said no to the provider. */
function errorOf({ url = '', headers }: IncomingMessage) {
  const query = new URL(url, 'http://app.invalid').searchParams
  if (query.get('state') !== 'sealed') return 'state_invalid'
  if (!/svc_oauth_csrf_\d+=nonce/.test(headers.cookie ?? '')) return 'cookie_missing'
  return query.get('error') === 'access_denied' ? 'provider_error' : 'state_invalid'
}
