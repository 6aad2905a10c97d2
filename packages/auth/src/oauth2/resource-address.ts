import type { RawContext } from '@svc/core'
import type { AuthorizationServer } from './authorization-server.ts'

/**
 * The origin at which the client called this API, if that is one of its names. Otherwise that of
 * the authorization server.
 */
export function ownOrigin({ incoming, server }: RawContext, { issuer }: AuthorizationServer) {
  const { host } = incoming.headers
  const named = [...server.ownOrigins].filter((origin) => new URL(origin).host === host)
  return named.find((origin) => origin.startsWith('https:')) ?? named[0] ?? issuer
}

/** A resource as an address, as clients name it. That of another server is an address already. */
export function resourceAddress(raw: RawContext, server: AuthorizationServer, resource: string) {
  if (!resource.startsWith('/')) return resource
  // An origin has no path.
  return new URL(resource, ownOrigin(raw, server)).href.replace(/(?<=:\/\/[^/]*)\/$/, '')
}
