import type { ServerDefinition } from '../definition/definition.ts'
import { type RouteMap, routeMapOf } from '../routes/contract.ts'
import { tokenAuth, tokenPath } from '../streams/streams.ts'

/** What clients of a server call by name: its router's own routes, and `eventsToken` where streams need one (E-051). */
export function routeMapOfServer({ settings }: ServerDefinition): RouteMap {
  const routes = routeMapOf(settings.router)
  if (!tokenAuth(settings)) return routes
  return { ...routes, eventsToken: { method: 'POST', path: tokenPath(settings) } }
}
