import type { AnySchema } from '../schema/schema.ts'
import type { Middleware } from './middleware.ts'
import type { Route } from './route.ts'

/**
 * The part of a route that a router needs. Its types are left out: comparing them for each of a
 * thousand routes takes seconds.
 */
export type AnyRoute = Pick<Route, 'operation' | 'binding'>
export type Routes = Record<string, AnyRoute>

export interface RouterOptions {
  /** The reserved prefix of a package's own routes, such as `/_auth/`. */
  owns?: `/_${string}/`
  /** The contract that device clients are built against: the operations with `.inContract(…)`. */
  contract?: DeviceContract
}

/** The contract of the routes of a router, and of mounted routers without one. */
export interface DeviceContract {
  readonly name: string
  /** It increases with every breaking change: `svc contract check` enforces that. */
  readonly version: string
  /** The names of schemas: for an equal schema, clients get the name. */
  readonly types?: Readonly<Record<string, AnySchema>>
  /** How a device signs the operations with proof: the facts that a client needs. */
  readonly profile?: Readonly<Record<string, unknown>> & { readonly name: string }
}

/** Routes by name, with the mounted packages and the middleware around all of them. */
export class Router<OwnRoutes extends Routes = Routes> {
  readonly routes: OwnRoutes
  readonly options: RouterOptions
  readonly mounted: readonly Router[]
  readonly middlewares: readonly Middleware[]

  constructor(
    routes: OwnRoutes,
    options: RouterOptions,
    mounted: readonly Router[] = [],
    middlewares: readonly Middleware[] = [],
  ) {
    this.routes = routes
    this.options = options
    this.mounted = mounted
    this.middlewares = middlewares
  }

  /** Mounts the routers of packages; this router's middleware is around their routes too. */
  packages(routers: readonly Router[]): Router<OwnRoutes> {
    const mounted = [...this.mounted, ...routers]
    return new Router(this.routes, this.options, mounted, this.middlewares)
  }

  /** Runs these around every route, in this order, except for routes that `skip` them by name. */
  use(middlewares: readonly Middleware[]): Router<OwnRoutes> {
    const all = [...this.middlewares, ...middlewares]
    return new Router(this.routes, this.options, this.mounted, all)
  }
}

/** Routes by the names that clients call them by. */
export function defineRouter<OwnRoutes extends Routes>(
  routes: OwnRoutes,
  options: RouterOptions = {},
): Router<OwnRoutes> {
  return new Router(routes, options)
}
