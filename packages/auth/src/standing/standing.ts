import {
  defineMiddleware,
  type ErrorClass,
  ForbiddenError,
  type HandlerContext,
  type HttpError,
  type Middleware,
  type RawContext,
} from '@svc/core'
import {
  challengeScopes,
  findStanding,
  getAuth,
  nameTenant,
  refuseProgram,
  type Standing,
} from '../caller/caller.ts'
import type { Tenant } from '../capability/contract.ts'

export { getCallerFacts } from './caller-facts.ts'
export { findReaders, type Reader } from './find-readers.ts'

/** Runs before the key of a request is read, so that the standing in the tenant is read with it. */
export const namesTenant = ({ name, param }: Tenant) =>
  defineMiddleware(
    `tenant ${name}`,
    (c, next) => {
      const id = c.req.param()[param]
      if (id !== undefined) nameTenant(c, id)
      return next()
    },
    { documents: {} },
  )

/** A middleware that asks for permissions in a tenant, and says for which. */
export interface StandingGuard extends Middleware {
  readonly tenant: string
  readonly asked: readonly string[]
}

interface AskedOfMember {
  readonly permissions: readonly string[]
  /** Accepts a member whose standing is `refused`. */
  readonly evenIfRefused: boolean
}

/**
 * Refuses a caller who is no member of the tenant, or lacks one of the permissions there. It refuses programs of users:
 * they may do nothing that was not chosen for them. Programs of the tenant have the standing of their service account.
 */
export function requireStanding(
  tenant: Tenant,
  { permissions, evenIfRefused }: AskedOfMember,
): StandingGuard {
  const guard = defineMiddleware(
    `in ${tenant.name}`,
    (c, next) => {
      const caller = getAuth(c)
      const {
        id,
        permissions: permitted,
        settings,
        isProgram: isOfTenant = false,
        refused,
      } = standingIn(tenant, c)
      if (permissions.length === 0 && !isOfTenant) refuseProgram(caller)
      const isProgram = caller.kind === 'machine' || caller.kind === 'agent'
      // No permission in a tenant can be chosen for a program of a user.
      if (isProgram && !isOfTenant) throw notAllowed()
      if (refused && !evenIfRefused) throw refused
      const lacking = permissions.filter((name) => !permitted.includes(name))
      if (lacking.length > 0) {
        challengeScopes(c, lacking)
        throw notAllowed()
      }
      c.databaseSettings = settings
      c.tenant = id
      return next()
    },
    {
      documents: {
        tenant: tenant.name,
        requires: requiredIn(tenant, permissions),
        errors: [
          tenant.NotFoundError,
          ForbiddenError,
          ...(evenIfRefused ? [] : (tenant.refusals ?? [])),
        ],
      },
    },
  )
  return { ...guard, tenant: tenant.name, asked: permissions }
}

const notAllowed = () => new ForbiddenError({ message: 'Your role here does not allow this.' })

/** A part of a tenant, such as a team of an organization. */
export interface TenantPart {
  /** As access names it. */
  readonly name: string
  /** The parameter of a path that names one. The tenant has it among its `parts`. */
  readonly param: string
  /** Refuses a caller who isn't in it. It takes no arguments: it is the same where there is no such part. */
  readonly NotFoundError: ErrorClass & (new () => HttpError)
  /** Refuses, by throwing, a member of the tenant who may not do this in the part. */
  readonly admit: (c: RawContext, id: string, permissions: readonly string[]) => unknown
}

/** A middleware that asks for permissions in a part of a tenant. */
export interface PartGuard extends Middleware {
  readonly part: string
  readonly asked: readonly string[]
}

/** Runs after `requireStanding`, which has accepted a member of the tenant. */
export function requirePart(part: TenantPart, permissions: readonly string[]): PartGuard {
  const { name, param, NotFoundError, admit } = part
  const guard = defineMiddleware(
    `in ${name}`,
    async (c, next) => {
      await admit(c, c.req.param()[param] ?? '', permissions)
      return next()
    },
    {
      documents: {
        requires: `Needs access to the ${name}${suffixOf(permissions)}.`,
        errors: [NotFoundError, ForbiddenError],
      },
    },
  )
  return { ...guard, part: param, asked: permissions }
}

const suffixOf = (permissions: readonly string[]) =>
  permissions.length === 0 ? '' : ` with ${permissions.map((each) => `\`${each}\``).join(' and ')}`

function requiredIn({ name }: Tenant, permissions: readonly string[]) {
  const member = `Needs a member of the ${name}`
  if (permissions.length === 0)
    return `${member}. Machine keys and agents of a user may not call it.`
  return `${member}${suffixOf(permissions)}.`
}

/** The standing of the caller in the tenant of the request. It refuses a caller who is no member. */
export function standingIn(
  { NotFoundError }: Pick<Tenant, 'NotFoundError'>,
  c: RawContext | HandlerContext,
): Standing {
  const found = findStanding('raw' in c ? c.raw : c)
  if (!found) throw new NotFoundError()
  return found
}
