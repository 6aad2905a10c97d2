import type { RawContext } from '@svc/core'

/** What a caller is in the tenant that the path of a request names, read with the caller’s key. */
export interface Standing {
  /** The id of the tenant. */
  readonly id: string
  readonly roles: readonly string[]
  /** What its roles there permit. It has nothing to do with the permissions of the account. */
  readonly permissions: readonly string[]
  /**
   * The account belongs to the tenant, and its programs may use this standing. A program of a person never has one,
   * because nothing in a tenant was chosen for it.
   */
  readonly isProgram?: boolean
  /** Settings of PostgreSQL that every statement of the handler has, by `c.db`. */
  readonly settings?: Readonly<Record<string, string>>
  /** What entries of the audit trail that the request writes say of the tenant, such as `{ organizationId }`. */
  readonly auditDetails?: Readonly<Record<string, string>>
}

/** How a capability reads the standing of a caller, in the statement that reads the key. */
export interface StandingReader<Stored = unknown> {
  /**
   * An SQL expression for a value of JSON, null if the caller is no member. In it, the account is `u`, and the id of
   * the tenant is `asked.tenant`, a text that `isId` has accepted.
   */
  readonly select: string
  /** False for a text that can't be the id of any tenant. */
  readonly isId: (text: string) => boolean
  readonly read: (stored: Stored) => Standing
}

const tenant = 'svc.tenant'
const standing = 'svc.standing'

/** Remembers which tenant a request names, before its key is read. */
export function nameTenant(raw: RawContext, id: string) {
  raw.set(tenant, id)
}

/** @internal The tenant that a request names; undefined for most requests. */
export function tenantOf(raw: RawContext) {
  return raw.get<string>(tenant)
}

export function setStanding(raw: RawContext, found: Standing | null) {
  raw.set(standing, found)
}

/** The standing of the caller, or null if the caller is no member of the tenant. */
export function findStanding(raw: RawContext) {
  return raw.get<Standing | null>(standing) ?? null
}
