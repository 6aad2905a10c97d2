import { DefinitionError, type HandlerContext, type Middleware } from '@svc/core'
import { type AnyRoute, Route } from '@svc/core/contract'
import { forbidSupport } from '../caller/caller.ts'
import type { Access, ForSupport, Tenant } from '../capability/contract.ts'
import { requireProof } from '../fresh-proof/fresh-proof.ts'
import type { PermissionName } from '../permission-name.ts'
import { requireAnyPermission, requirePermissions, requireRole } from '../roles/roles.ts'
import { callerFor, callerGuards, memberGuards } from '../running/running.ts'
import { requirePart, type TenantPart } from '../standing/standing.ts'
import { approvedRoute } from './approved-route.ts'

export { requireOwner } from './require-owner.ts'

/** A route that says who may call it. */
export type DeclaredRoute<
  Who extends string = string,
  Declared extends AnyRoute = AnyRoute,
> = Declared & {
  // Never set: it carries the type. At run time the binding holds the access.
  readonly '~access': Who
}

interface Bound {
  guards: readonly Middleware[]
  /** Runs before the handler, if the access depends on the body. */
  check?: (operation: string, c: HandlerContext) => Promise<unknown>
}

/** What says who may call a route, such as `allow.may('order:read')`. */
type Declare<Who extends string> = <Declared extends AnyRoute>(
  route: Declared,
) => DeclaredRoute<Who, Declared>

function declare<const Who extends string>(who: Who, bound: Bound): Declare<Who> {
  return <Declared extends AnyRoute>(route: Declared): DeclaredRoute<Who, Declared> =>
    // Callers see the same route: only its binding differs.
    bind(route, who, bound) as unknown as DeclaredRoute<Who, Declared>
}

/** The router's `authenticate` is left out, because these guards replace it. */
function bind(route: AnyRoute, who: string, { guards, check }: Bound) {
  const { operation, binding } = route
  refuseTwice(route, who)
  const name = `${operation.method} ${operation.path}`
  return new Route(operation, {
    ...binding,
    middlewares: [...guards, ...binding.middlewares],
    skipped: [...binding.skipped, 'auth'],
    access: { who },
    ...(check && { check: (c: HandlerContext) => check(name, c) }),
  })
}

/** A second guard would check the same signature, which can be used only once. */
function refuseTwice({ operation, binding }: AnyRoute, who: string) {
  const [first] = binding.middlewares.filter(
    ({ name, skips }) => name === 'auth' || skips.includes('auth'),
  )
  const other = binding.access?.who ?? first?.name
  if (other === undefined) return
  throw new DefinitionError([
    `${operation.method} ${operation.path} says who may call it twice: "${other}" and "${who}". Leave one of them out.`,
  ])
}

const only = <const Who extends Access>(access: Who, support: ForSupport = 'owner only') =>
  declare(access, { guards: callerGuards(access, { support }) })

const signedByAnyKey = callerGuards('any-key', { support: 'support too' })

/** The body may contain the current password, so the proof is checked after the body is read. */
const proved = <const Who extends Access>(access: Who) =>
  declare(access, {
    guards: callerGuards(access, { support: 'owner only' }),
    check: async (operation, c) => callerFor(access, { operation, c, data: await c.data() }),
  })

type Names<Name extends string> = readonly [Name, ...Name[]]

/** Says who may call a route of your application: `allow.may('order:read')(route.get('/orders').handler(…))`. */
export const allow = {
  /** Everyone, without a credential. Limit the route: `.limit(perMinute(20), 'by address')`. */
  public: only('public', 'support too'),
  /** Everyone. A user who is signed in can be found with `getOptionalAuth(c)`. Limit it by address, too. */
  optional: only('optional', 'support too'),
  /** Every live key: that of a device, of a machine, and of a support session. */
  anyKey: only('any-key', 'support too'),
  /** A user who is signed in on a device, and an operator in their support session. Machine keys and agents are refused. */
  bearer: only('bearer', 'support too'),
  /** The same. A user with a second factor must have proved it on this device recently. */
  stepUp: only('step-up'),
  /**
   * The same with a fresh proof: the second factor, or, if the user has none, a sign-in, a password, a passkey or a
   * code.
   */
  fresh: proved('fresh'),
  /** A superadmin with a proof that is fresh enough for the work of an operator. */
  freshSuperadmin: proved('fresh superadmin'),
  /** A superadmin. */
  superadmin: only('superadmin'),
  /** A user whose role is one of these. */
  role: (...names: Names<string>) =>
    declare(`role ${names.join(' or ')}`, {
      guards: [...signedByAnyKey, requireRole(...names)],
    }),
  /** A caller who has all of these permissions. A machine key must have been given them. */
  may: (...names: Names<PermissionName>) =>
    declare(`may ${names.join(' and ')}`, {
      guards: [...signedByAnyKey, requirePermissions(...names)],
    }),
  /** A caller who has one of these permissions. */
  mayAny: (...names: Names<PermissionName>) =>
    declare(`may ${names.join(' or ')}`, {
      guards: [...signedByAnyKey, requireAnyPermission(...names)],
    }),
  /**
   * A member of the tenant that the path names, with all of these permissions there. A capability with tenants gives
   * you the first argument, and may have words of its own for it.
   */
  in: (tenant: Tenant, ...names: readonly string[]) =>
    declare(memberOf(tenant, names), { guards: memberGuards(tenant, names) }),
  /** The same with a fresh proof: for what gives power in the tenant. */
  freshIn: (tenant: Tenant, ...names: readonly string[]) => {
    const who = `fresh, ${memberOf(tenant, names)}` as const
    return declare(who, {
      guards: [...memberGuards(tenant, names), forbidSupport, requireProof],
      check: async (operation, c) => callerFor(who, { operation, c, data: await c.data() }),
    })
  },
  /**
   * A member of the tenant who may do this in a part of it, which the path also names. The part decides it. A
   * capability with such parts may have words of its own for it.
   */
  inPart: (tenant: Tenant, part: TenantPart, ...names: readonly string[]) =>
    declare(inPartOf(tenant, part, names), { guards: partGuards(tenant, part, names) }),
  /** The same with a fresh proof. */
  freshInPart: (tenant: Tenant, part: TenantPart, ...names: readonly string[]) => {
    const who = `fresh, ${inPartOf(tenant, part, names)}` as const
    return declare(who, {
      guards: [...partGuards(tenant, part, names), forbidSupport, requireProof],
      check: async (operation, c) => callerFor(who, { operation, c, data: await c.data() }),
    })
  },
  /**
   * The same as `in`, for callers whom your middleware finds: `allow.inBy(tenant, accessTokenAuth('/mcp'), …)`. The
   * middleware runs once the tenant is known.
   */
  inBy: (tenant: Tenant, middleware: Middleware, ...names: readonly string[]) =>
    declare(`by ${middleware.name}, ${memberOf(tenant, names)}`, {
      guards: memberGuards(tenant, names, { signedIn: [documented(middleware)] }),
    }),
  /**
   * The same callers, once the owner of the account has approved this very call: a program, and a terminal that asks for
   * it. A person gives a fresh proof. `allow.approved(allow.may('order:refund'))(route.post('/refunds').handler(…))`.
   */
  approved:
    <const Who extends string>(callers: Declare<Who>) =>
    <Declared extends AnyRoute>(route: Declared): DeclaredRoute<`approved, ${Who}`, Declared> =>
      // Callers see the same route: only its binding differs.
      approvedRoute(callers(route)) as unknown as DeclaredRoute<`approved, ${Who}`, Declared>,
  /** A caller whom your middleware lets in: `allow.by(accessTokenAuth('/mcp'))`. It must document its credentials. */
  by: (middleware: Middleware) =>
    declare(`by ${middleware.name}`, { guards: [documented(middleware)] }),
}

function memberOf({ name }: Pick<Tenant, 'name'>, permissions: readonly string[]): `in ${string}` {
  return permissions.length === 0 ? `in ${name}` : `in ${name}, may ${permissions.join(' and ')}`
}

const inPartOf = ({ name }: Tenant, part: TenantPart, names: readonly string[]) =>
  memberOf({ name: `${name} and ${part.name}` }, names)

const partGuards = (tenant: Tenant, part: TenantPart, names: readonly string[]) => [
  ...memberGuards(tenant, []),
  requirePart(part, names),
]

function documented(middleware: Middleware) {
  if (middleware.documents?.credentials) return middleware
  throw new DefinitionError([
    `allow.by(${middleware.name}): the middleware does not say how it knows its callers. Add the credentials: defineMiddleware('${middleware.name}', …, { documents: { credentials: [{ … }] } }).`,
  ])
}
