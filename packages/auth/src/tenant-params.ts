import type { AnyRoute, OutputOf } from '@svc/core/contract'

/**
 * The parameters of a path that name a tenant. A capability with tenants declares its own:
 * `declare module '@svc/auth/server' { interface TenantParams { org: 'organization' } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- capabilities add their parameters
export interface TenantParams {}

/** The names of the parameters that a route has declared: its path may be known at the start only. */
type DeclaredParamOf<Route extends AnyRoute> = Route extends {
  readonly '~input': { params: infer Params }
}
  ? keyof OutputOf<Params>
  : never

/** Which of these parameters a path has. */
type ParamIn<Path, Names> = Names extends string
  ? Path extends `${string}/:${Names}` | `${string}/:${Names}/${string}`
    ? Names
    : never
  : never

type PathOf<Route extends AnyRoute> = Route extends { readonly '~path': infer Path } ? Path : never

/** The parameters of a route that name a tenant. */
type TenantParamOf<Route extends AnyRoute, Names> =
  | (Names & DeclaredParamOf<Route>)
  | ParamIn<PathOf<Route>, Names>

/** Who may call a route that names a tenant: members of it, also those whom a middleware finds. */
type ByMembers = `in ${string}` | `fresh, in ${string}` | `by ${string}, in ${string}`

/** The compiler shows these words for a route that names a tenant and asks for no member of it. */
export type AsksForMember<Who extends string, Route extends AnyRoute, Tenants = TenantParams> = [
  TenantParamOf<Route, keyof Tenants>,
] extends [never]
  ? unknown
  : Who extends ByMembers
    ? unknown
    : 'This route names a tenant in its path: say which of its members may call it, with `allow.in` of @svc/auth/server or the words of the capability'
