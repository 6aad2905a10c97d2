import { DefinitionError, type Middleware, type TableRow } from '@svc/core'
import { nearest } from '@svc/core/nearest'
import type { Capability } from '../capability/capability.ts'
import type { PartGuard, StandingGuard } from '../standing/standing.ts'

const isGuard = (middleware: Middleware): middleware is StandingGuard =>
  'tenant' in middleware && 'asked' in middleware

const isPartGuard = (middleware: Middleware): middleware is PartGuard =>
  'part' in middleware && 'asked' in middleware

/**
 * Refuses a route that names a tenant in its path and asks for no member of it: one that forgets the question would
 * serve every user. The same goes for a part of it. And a permission that no role of the tenant can have.
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
    const part = middlewares.find(isPartGuard)
    return [
      ...partProblems({ name, path: operation.path }, part, tenant.parts ?? []),
      ...[...guard.asked, ...(part?.asked ?? [])]
        .filter((permission) => !known.includes(permission))
        .map((permission) => unknown(name, permission, { known, tenant: tenant.name })),
    ]
  })
  if (problems.length > 0) throw new DefinitionError(problems)
}

function partProblems(
  { name, path }: { name: string; path: string },
  guard: PartGuard | undefined,
  parts: readonly string[],
) {
  const named = path.split('/')
  if (guard) return named.includes(`:${guard.part}`) ? [] : [unnamed(name, path, guard.part)]
  return parts
    .filter((part) => named.includes(`:${part}`))
    .map(
      (part) =>
        `Route "${name}" (${path}) names a ${part} in its path, and does not ask for access to it: declare it with allow.inPart(…), or give the parameter another name.`,
    )
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
