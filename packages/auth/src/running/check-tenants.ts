import { DefinitionError, type Middleware, type TableRow } from '@svc/core'
import { nearest } from '@svc/core/nearest'
import type { Capability } from '../capability/capability.ts'
import type { StandingGuard } from '../standing/standing.ts'

const isGuard = (middleware: Middleware): middleware is StandingGuard =>
  'tenant' in middleware && 'asked' in middleware

/**
 * Refuses a route that names a tenant in its path and asks for no member of it: one that forgets the question would
 * serve every user. And a permission that no role of the tenant can have.
 */
export function checkTenants(routes: readonly TableRow[], capabilities: readonly Capability[]) {
  const owner = capabilities.find(({ parts }) => parts.standing)
  const tenant = owner?.contract.tenant
  if (!owner || !tenant) return
  const known = owner.parts.tenantPermissions ?? []
  const problems = routes.flatMap(({ name, middlewares, route: { operation } }) => {
    const guard = middlewares.find(isGuard)
    const names = operation.path.split('/').includes(`:${tenant.param}`)
    if (!guard) return names ? [unasked(name, operation.path, tenant.name)] : []
    if (!names) return [unnamed(name, operation.path, tenant.param)]
    return guard.asked
      .filter((permission) => !known.includes(permission))
      .map((permission) => unknown(name, permission, { known, tenant: tenant.name }))
  })
  if (problems.length > 0) throw new DefinitionError(problems)
}

const unasked = (route: string, path: string, tenant: string) =>
  `Route "${route}" (${path}) names the ${tenant} in its path, and does not ask for a member of it: declare it with allow.in(…), or give the parameter another name.`

const unnamed = (route: string, path: string, param: string) =>
  `Route "${route}" (${path}) asks for a member, and its path does not say of what: add ":${param}" to it.`

function unknown(
  route: string,
  permission: string,
  { known, tenant }: { known: readonly string[]; tenant: string },
) {
  const meant = nearest(permission, known)
  const spelling = meant ? ` Did you mean "${meant}"?` : ''
  return `Route "${route}" asks for the permission "${permission}", which no role of the ${tenant} can have.${spelling}`
}
