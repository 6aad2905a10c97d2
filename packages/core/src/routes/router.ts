import type { Middleware } from './middleware.ts'
import type { Route } from './route.ts'

/** What a router needs of a route. Its types are left out: comparing them for each of a thousand takes seconds. */
export type AnyRoute = Pick<Route, 'operation' | 'binding'>
export type Routes = Record<string, AnyRoute>

export interface RouterOptions {
  /** The reserved prefix that a package's own routes live under, such as `/_auth/`. */
  owns?: `/_${string}/`
}

/** Routes by name, with the packages they are mounted beside and the middleware around them all. */
export class Router<OwnRoutes extends Routes = Routes> {
  readonly routes: OwnRoutes
  readonly owns: string | undefined
  readonly mounted: readonly Router[]
  readonly middlewares: readonly Middleware[]

  constructor(
    routes: OwnRoutes,
    owns: string | undefined,
    mounted: readonly Router[] = [],
    middlewares: readonly Middleware[] = [],
  ) {
    this.routes = routes
    this.owns = owns
    this.mounted = mounted
    this.middlewares = middlewares
  }

  /** Mounts the routers of packages; this router's middleware is around their routes too. */
  packages(routers: readonly Router[]): Router<OwnRoutes> {
    const mounted = [...this.mounted, ...routers]
    return new Router(this.routes, this.owns, mounted, this.middlewares)
  }

  /** Runs these around every route, in this order, but for routes that `skip` them by name. */
  use(middlewares: readonly Middleware[]): Router<OwnRoutes> {
    const all = [...this.middlewares, ...middlewares]
    return new Router(this.routes, this.owns, this.mounted, all)
  }
}

export function defineRouter<OwnRoutes extends Routes>(
  routes: OwnRoutes,
  { owns }: RouterOptions = {},
): Router<OwnRoutes> {
  return new Router(routes, owns)
}
