import type { ServerDefinition } from '../definition/definition.ts'
import { type RouteMap, routeMapOf } from '../routes/contract.ts'
import { subscriptionsPath, tokenAuth, tokenPath } from '../streams/streams.ts'

/**
 * The operations that clients of a server call by name: its router's own routes, and those beside
 * streams (E-051).
 */
export function routeMapOfServer({ settings }: ServerDefinition): RouteMap {
  const subscriptions = subscriptionsPath(settings)
  return {
    ...routeMapOf(settings.router),
    ...(tokenAuth(settings) && { eventsToken: { method: 'POST', path: tokenPath(settings) } }),
    ...(subscriptions && { eventsSubscribe: { method: 'POST', path: subscriptions } }),
  }
}
