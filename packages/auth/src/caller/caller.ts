import {
  defineMiddleware,
  ForbiddenError,
  type HandlerContext,
  type RawContext,
  UnauthorizedError,
} from '@svc/core'
import type { AccountRow, Caller, CallerAccount, CallerRow } from './caller-types.ts'
import { SupportSessionForbiddenError } from './errors.ts'

export { accountColumns, type Stored, withRoles } from './account-columns.ts'
export { factsFrom } from './caller-facts.ts'
export {
  type AccountRow,
  type Caller,
  type CallerAccount,
  type CallerKind,
  type CallerRow,
  type FreshCaller,
  type KeyBinding,
  type ProvableCaller,
} from './caller-types.ts'
export { coreActs } from './core-acts.ts'
export { createKeyUse, type KeyUse } from './key-use.ts'
export {
  type AccountReader,
  type AccountWithStanding,
  createAccountReader,
  createLockedAccountReader,
  createOwnerReader,
  type LockedAccountReader,
  type OwnerReader,
} from './read-accounts.ts'
export { type CallerReader, createCallerReader } from './read-callers.ts'
export {
  type AuditEntry,
  type AuditOutcome,
  type Author,
  noteActor,
  noteAgent,
  noteCounted,
  noteSigner,
  placeOf,
  type RequestOrigin,
  requestOrigin,
} from './request-origin.ts'
export { sharingTurns } from './sharing-turns.ts'
export {
  type CallerFacts,
  findStanding,
  nameTenant,
  type SignInFacts,
  type Standing,
  type StandingReader,
  setStanding,
  tenantOf,
} from './standing.ts'
export { hasMore, supportPermission } from './support-standing.ts'

type Context = RawContext | HandlerContext

const callerKey = 'svc.caller'

/** Remembers for the rest of a request which caller signed it. */
export function setCaller(raw: RawContext, caller: Caller) {
  raw.set(callerKey, caller)
  raw.caller = caller.userId
}

/** @internal The caller who signed the request. Undefined if the route needs no signature. */
export function callerOf(c: Context): Caller | undefined {
  return ('raw' in c ? c.raw : c).get<Caller>(callerKey)
}

/**
 * The caller who signed the request. On a route without `authenticate`, it refuses every request.
 */
export function getAuth(c: Context): Caller {
  const caller = callerOf(c)
  if (!caller) throw new UnauthorizedError()
  return caller
}

/** The caller who signed the request, or null: for routes with `optionalAuth`. */
export function getOptionalAuth(c: Context): Caller | null {
  return callerOf(c) ?? null
}

/** The account of the caller. Without a caller, it refuses with 401. */
export function getUser(c: Context): CallerAccount {
  return getAuth(c).user
}

/** The id of the caller’s account. Without a caller, it refuses with 401. */
export function getUserId(c: Context): string {
  return getAuth(c).userId
}

/** The highest role of the caller’s account. */
export function getRole(c: Context): string {
  return getAuth(c).role
}

/** All active roles of the account, the highest first. */
export function getRoles(c: Context): readonly string[] {
  return getAuth(c).roles
}

/** The language of the caller’s account. */
export function getLocale(c: Context): string {
  return getAuth(c).locale
}

/** The id of the device key that signed the request; empty if none did. */
export function getKeyId(c: Context): string {
  return getAuth(c).keyId
}

const documents = { requires: 'Machine keys and agents may not call it.', errors: [ForbiddenError] }

/**
 * For routes that are not for programs: accepts a user who has signed in on a device, but no
 * machine and no agent. It also accepts an operator in a support session: `forbidSupport` refuses
 * them.
 */
export const requirePerson = defineMiddleware(
  'person',
  (c, next) => {
    refuseProgram(getAuth(c))
    return next()
  },
  { documents },
)

/** The same for routes that may be called without signing in. */
export const personOrNobody = defineMiddleware(
  'person or nobody',
  (c, next) => {
    const caller = getOptionalAuth(c)
    if (caller) refuseProgram(caller)
    return next()
  },
  { documents },
)

/**
 * A program has only the permissions that were chosen for it. It may do nothing that is allowed in
 * another way.
 */
export function refuseProgram({ kind }: Pick<Caller, 'kind'>) {
  const isPerson = kind === 'device' || kind === 'support'
  if (!isPerson)
    throw new ForbiddenError({ message: 'Programs may not do this. Sign in as a person.' })
}

/** Refuses what only the owner may do. No other place does. */
export function refuseSupport({ kind }: Pick<Caller, 'kind'>) {
  if (kind === 'support') throw new SupportSessionForbiddenError()
}

/** For routes that an operator may not call in a support session: `.use([forbidSupport])`. */
export const forbidSupport = defineMiddleware(
  'owner only',
  (c, next) => {
    const caller = getOptionalAuth(c)
    if (caller) refuseSupport(caller)
    return next()
  },
  { documents: { errors: [SupportSessionForbiddenError] } },
)

/** Tells an agent which scopes its token lacks for these permissions. False if no other token would help. */
type ScopeChallenge = (permissions: readonly string[]) => boolean

const challengeKey = 'svc.scope-challenge'

/** Remembers how to tell the agent of a request. */
export function setScopeChallenge(raw: RawContext, challenge: ScopeChallenge) {
  raw.set(challengeKey, challenge)
}

/**
 * Call this before you refuse a caller that lacks permissions: an agent learns which scopes to ask its user for. False if
 * the caller is not an agent, or no scope would help.
 */
export function challengeScopes(raw: RawContext, permissions: readonly string[]): boolean {
  return raw.get<ScopeChallenge>(challengeKey)?.(permissions) ?? false
}

/** Member by member, because a handler may return it as it is: nothing of the key may be in it. */
export function callerFrom(row: AccountRow & Partial<CallerRow>): Caller {
  const { kind = 'device' } = row
  return {
    user: {
      userId: row.userId,
      publicId: row.publicId,
      email: row.email,
      emailVerifiedAt: row.emailVerifiedAt,
      phone: row.phone,
      phoneVerifiedAt: row.phoneVerifiedAt,
      username: row.username,
      status: row.status,
      passwordChangeRequired: row.passwordChangeRequired,
    },
    userId: row.userId,
    kind,
    actor: row.actorId ?? null,
    keyId: row.keyId ?? '',
    keyExpiresAt: row.keyExpiresAt ?? null,
    authenticatedAt: kind === 'device' ? (row.authenticatedAt ?? null) : null,
    binding: row.binding ?? null,
    role: row.role,
    rolePriority: row.rolePriority,
    roleIsActive: row.roleIsActive,
    roles: row.roles,
    inactiveRoles: row.inactiveRoles,
    permissions: permittedTo(row),
    locale: row.locale,
    generation: row.generation,
    secondFactorSince: row.secondFactorSince,
    secondFactorProvedAt: row.secondFactorProvedAt ?? null,
  }
}

/**
 * The account's current permissions, in a support session too; for a program, those of them that
 * were chosen for it.
 */
function permittedTo({
  kind = 'device',
  permissions,
  chosenPermissions,
}: AccountRow & Partial<CallerRow>) {
  if (kind === 'device' || kind === 'support') return permissions
  return permissions.filter((name) => chosenPermissions?.includes(name))
}
