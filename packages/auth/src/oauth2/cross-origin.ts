import { ForbiddenError, type Lifecycle, type RawContext } from '@svc/core'
import { type AuthorizationServerOptions, authorizationServerOf } from './authorization-server.ts'
import type { AgentService } from './clients/clients.ts'
import { agentServiceOf } from './verify-access-token.ts'

const endpoints = [
  '/.well-known/openid-configuration',
  ...['register', 'device_authorization', 'token', 'revoke', 'jwks', 'userinfo'].map(
    (name) => `/_auth/oauth2/${name}`,
  ),
]

/**
 * The paths that an agent calls from a web page: metadata, the endpoints of clients, and the
 * resources. Consent is for our own pages.
 */
export function crossOriginOf(
  options: AuthorizationServerOptions | undefined,
): NonNullable<Lifecycle['crossOrigin']> {
  const { origins = [], resources = [] } = options ?? {}
  if (origins.length === 0) return []
  const paths = resources.filter((resource) => resource.startsWith('/'))
  const isResource = (path: string) =>
    paths.some((each) => path === each || (each !== '/' && path.startsWith(`${each}/`)))
  const includes = (path: string) =>
    path.startsWith('/.well-known/oauth-') || endpoints.includes(path) || isResource(path)
  return { origins, includes }
}

/**
 * A page that reaches this host under its own name (DNS rebinding) is recognised by its Origin, so
 * the Host counts for nothing here. Programs send no Origin. The Model Context Protocol requires
 * this check at its endpoints.
 */
export function refuseForeignPage(raw: RawContext) {
  const { origin } = raw.incoming.headers
  const auth = agentServiceOf(raw.server)
  const { origins } = authorizationServerOf(auth)
  if (origin === undefined || origins === 'any') return
  if (![...origins, ...ownPages(raw, auth)].includes(origin)) {
    throw new ForbiddenError({ message: 'Pages of this origin may not call.' })
  }
}

function ownPages({ server }: RawContext, auth: AgentService) {
  const addresses = [authorizationServerOf(auth).issuer, auth.appUrl]
  const ofPages = addresses.map((address) => new URL(address).origin)
  return [...server.ownOrigins, ...server.listedOrigins, ...ofPages]
}
