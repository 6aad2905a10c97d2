import {
  type Caller,
  displayText,
  type FreshCaller,
  lockAccount,
  lockFresh,
  type RequestOrigin,
  refuseLost,
} from '@svc/auth/server'
import { ConflictError, ForbiddenError, type Tx, ValidationError } from '@svc/core'
import { listMembers } from '../members/members.ts'
import { MemberNotFoundError, OrganizationNotFoundError } from '../membership/errors.ts'
import { memberChanged, organizationChanged } from '../membership/events.ts'
import {
  byCaller,
  findMember,
  findOrganization,
  store as membership,
  note,
  type OrganizationAct,
  type OrganizationHeld,
} from '../membership/membership.ts'
import { tellOfClosing, tellOfOwner, tellOfReopening } from '../notices/notices.ts'
import { shownPolicies } from '../policies/policies.ts'
import * as store from './store.ts'

type Row = Awaited<ReturnType<typeof store.organizationPage>>['items'][number]

const shown = ({ createdAt, closedAt, purgeAt, ...row }: Row) => ({
  ...row,
  createdAt: createdAt.toISOString(),
  ...(closedAt && { closedAt: closedAt.toISOString() }),
  ...(purgeAt && { purgeAt: purgeAt.toISOString() }),
})

export async function searchOrganizations(
  auth: OrganizationHeld,
  caller: Caller,
  query: store.OrganizationQuery,
) {
  await counted(auth, caller)
  const { items, ...next } = await store.organizationPage(auth.db, query)
  return { items: items.map(shown), ...next }
}

export async function readAny(auth: OrganizationHeld, caller: Caller, organizationId: string) {
  await counted(auth, caller)
  const found = await store.findAny(auth.db, organizationId, auth.clock.now())
  if (!found) throw new OrganizationNotFoundError()
  const { memberCount, ownerCount, invitationCount, policies, ...row } = found
  const counts = { memberCount, ownerCount, invitationCount }
  return { ...shown(row), ...counts, policies: shownPolicies(policies) }
}

interface MemberQuery {
  readonly organizationId: string
  readonly role?: 'owner' | undefined
  readonly after?: string | undefined
  readonly limit: number
}

export async function listAnyMembers(auth: OrganizationHeld, caller: Caller, query: MemberQuery) {
  await counted(auth, caller)
  const { organizationId } = query
  if (!(await findOrganization(auth.db, organizationId))) throw new OrganizationNotFoundError()
  const page = await listMembers(auth, { id: organizationId }, query)
  if (caller.permissions.includes('user:read')) return page
  const items = page.items.map((member) => ({ ...member, email: null, displayName: null }))
  return { ...page, items }
}

const counted = ({ limits }: OrganizationHeld, { userId }: Caller) =>
  limits.take('organization search by account', userId)

interface Request {
  readonly caller: FreshCaller
  readonly params: { readonly organizationId: string }
  readonly body: { readonly reason: string }
  readonly origin: RequestOrigin
}

interface Locked {
  readonly organization: NonNullable<Awaited<ReturnType<typeof store.lockAny>>>
  /** Writes a line of the trail, with the operator and the reason. */
  readonly write: (
    act: OrganizationAct,
    more?: { target?: string; details?: object },
  ) => Promise<void>
}

/**
 * Each act is one transaction, in which the operator's key and permissions are read again: they may have been lost since
 * the request arrived. Accounts are locked before the organization, in one order.
 */
async function byOperator(
  auth: OrganizationHeld,
  { caller, params, body, origin, others = [] }: Request & { others?: readonly string[] },
  run: (tx: Tx, locked: Locked) => Promise<void>,
) {
  await auth.limits.take('organization operation by account', caller.userId)
  const details = { reason: readReason(body.reason), by: 'operator' }
  const by = byCaller(caller, origin)
  await auth.db.transaction(async (tx) => {
    for (const userId of [caller.userId, ...others].toSorted()) await lockAccount(tx, userId)
    await lockFresh(tx, caller)
    await refuseLost(tx, caller)
    const organization = await store.lockAny(tx, params.organizationId)
    if (!organization) throw new OrganizationNotFoundError()
    const { organizationId } = organization
    await run(tx, {
      organization,
      write: (act, { target = organizationId, details: more } = {}) =>
        note(auth, tx, { act, organizationId, by, target, details: { ...details, ...more } }),
    })
  })
}

function readReason(given: string) {
  const reason = displayText(given, 500)
  if (reason !== null) return reason
  const message = 'Say why: the audit trail keeps the reason.'
  throw new ValidationError({ fields: [{ path: 'body.reason', message }] })
}

const dayMillis = 86_400_000

/** From its commit on, no member is one, as when an owner closes it. */
export async function closeAny(auth: OrganizationHeld, request: Request) {
  const at = auth.clock.now()
  const purgeAt = new Date(at.getTime() + auth.windowDays * dayMillis)
  await byOperator(auth, request, async (tx, { organization: { organizationId }, write }) => {
    const closing = { organizationId, at, purgeAt, isByOperator: true }
    if (!(await membership.close(tx, closing))) {
      throw new ConflictError({ message: 'The organization is closed already.' })
    }
    await write('organization.closed')
    await organizationChanged.emit({ organizationId })
    await tellOfClosing(tx, auth, { organizationId, purgeAt })
  })
  return { purgeAt: purgeAt.toISOString() }
}

export async function reopenAny(auth: OrganizationHeld, request: Request) {
  await byOperator(auth, request, async (tx, { organization, write }) => {
    const { organizationId, state } = organization
    if (state === 'open') throw new ConflictError({ message: 'The organization is open.' })
    if (!(await store.reopenAny(tx, organizationId, auth.clock.now()))) {
      throw new OrganizationNotFoundError()
    }
    await write('organization.reopened')
    await organizationChanged.emit({ organizationId })
    await tellOfReopening(tx, auth, { organizationId })
  })
}

/** For an organization whose owners can't be reached: one of its members becomes an owner too. */
export async function addOwner(
  auth: OrganizationHeld,
  { body, ...request }: Request & { readonly body: { readonly userId: string } },
) {
  const { userId } = body
  if (userId === request.caller.userId) {
    throw new ForbiddenError({ message: 'You may not make yourself an owner.' })
  }
  const others = [userId]
  await byOperator(auth, { ...request, body, others }, async (tx, { organization, write }) => {
    const { organizationId, state } = organization
    if (state === 'closed') throw new ConflictError({ message: 'The organization is closed.' })
    const member = await findMember(tx, { organizationId, userId })
    if (!member) throw new MemberNotFoundError()
    await refuseNewOwner(tx, member)
    await membership.setRoles(tx, { organizationId, userId }, ['owner', ...member.roles])
    await write('organization.owner_added', { target: userId })
    await memberChanged.emit({ organizationId, userId })
    await tellOfOwner(tx, auth, { organizationId, owner: userId, how: 'by an operator' })
  })
}

async function refuseNewOwner(
  tx: Tx,
  { userId, roles }: { userId: string; roles: readonly string[] },
) {
  if (roles.includes('owner')) {
    throw new ConflictError({ message: 'The member is an owner already.' })
  }
  const account = await lockAccount(tx, userId)
  if (account?.status === 'active') return
  throw new ConflictError({ message: 'The member can’t sign in now.' })
}

/**
 * For an organization whose policies no owner can meet any more: only a member who meets them can change them. Members
 * are asked nothing from its commit on.
 */
export async function clearPolicies(auth: OrganizationHeld, request: Request) {
  await byOperator(auth, request, async (tx, { organization, write }) => {
    const { organizationId, policies } = organization
    if (!(await store.clearPolicies(tx, organizationId))) {
      throw new ConflictError({ message: 'The organization has no policies.' })
    }
    const details = { before: shownPolicies(policies), after: shownPolicies(null) }
    await write('organization.policies_updated', { details })
    await organizationChanged.emit({ organizationId })
  })
}
