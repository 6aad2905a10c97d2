import type { RouteMap } from '../routes/route-map.ts'
import { routeMapOf } from '../routes/route-map-of.ts'
import { tokenAuth, tokenPath } from '../streams/access/stream-settings.ts'
import type { ServerDefinition } from './define-server.ts'

/** What clients of a server call by name: its router's own routes, and `eventsToken` where streams need one (E-051). */
export function routeMapOfServer({ settings }: ServerDefinition): RouteMap {
  const routes = routeMapOf(settings.router)
  if (!tokenAuth(settings)) return routes
  return { ...routes, eventsToken: { method: 'POST', path: tokenPath(settings) } }
}
