import type { RawContext } from '@svc/core'
import type { AuthorizationServer } from '../authorization-server/options.ts'

/** What this API is called by whoever has asked, if that is one of its names; else where the authorization server is. */
export function ownOrigin({ incoming, server }: RawContext, { issuer }: AuthorizationServer) {
  const { host } = incoming.headers
  const named = [...server.ownOrigins].filter((origin) => new URL(origin).host === host)
  return named.find((origin) => origin.startsWith('https:')) ?? named[0] ?? issuer
}

/** Where a client reads who gives tokens for a resource: between the host and the path of it (RFC 9728, section 3.1). */
export function metadataAddress(raw: RawContext, server: AuthorizationServer, resource: string) {
  const { origin, pathname } = new URL(resource, ownOrigin(raw, server))
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
}
