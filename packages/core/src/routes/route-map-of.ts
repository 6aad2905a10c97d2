import type { RouteMap } from '../call/route-map.ts'
import { defineRouter, type Router } from './router.ts'

/** The route map of a router's own routes; a package brings its own map with its own client. */
export function routeMapOf(router: Router = defineRouter({})): RouteMap {
  const entries = Object.entries(router.routes).map(([name, { operation }]) => {
    const { method, path } = operation
    return [name, { method, path }] as const
  })
  return Object.fromEntries(entries)
}
