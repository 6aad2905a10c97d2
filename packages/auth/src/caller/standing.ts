import type { HttpError, RawContext } from '@svc/core'

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
  /**
   * The member may not use the tenant now, for example because the tenant asks for a second factor. It is thrown at
   * every route in the tenant, except at operations with `allow.inEvenIfRefused`.
   */
  readonly refused?: HttpError
  /** Settings of PostgreSQL that every statement of the handler has, by `c.db`. */
  readonly settings?: Readonly<Record<string, string>>
  /** What entries of the audit trail that the request writes say of the tenant, such as `{ organizationId }`. */
  readonly auditDetails?: Readonly<Record<string, string>>
}

/** What a tenant may ask of its members besides their roles: facts of the account and of the key that signs. */
export interface CallerFacts {
  /** When they were read, by the server’s clock. */
  readonly now: Date
  /** The account’s email address, if it is proved. */
  readonly email: string | null
  readonly hasSecondFactor: boolean
  /** How the device has signed in. Null for a program, for an operator in a support session, and if no key is known. */
  readonly signIn: SignInFacts | null
}

/** The last sign-in of a device’s key. A fresh proof is none. */
export interface SignInFacts {
  /**
   * `password`, `code`, `passkey`, the id of a provider, or what another capability calls its way. A device that another
   * one has approved has signed in as that one. Null for a key from before this was stored.
   */
  readonly by: string | null
  readonly at: Date
  /** The longest time since then in which the key was not used, until this request. It is known to a minute. */
  readonly unusedSeconds: number
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
  /** Gets what `select` has read, and the facts of the account and the key, which are from the same statement. */
  readonly read: (stored: Stored, facts: CallerFacts) => Standing
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
