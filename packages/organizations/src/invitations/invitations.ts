import { createHash, randomBytes } from 'node:crypto'
import {
  findLocale,
  findLocaleAt,
  lockAccount,
  normaliseEmail,
  type Standing,
} from '@svc/auth/server'
import type { Db, Tx } from '@svc/core'
import {
  AlreadyInvitedError,
  OrganizationFullError,
  OrganizationInvitationNotFoundError,
  OrganizationNotFoundError,
} from '../membership/errors.ts'
import { memberChanged } from '../membership/events.ts'
import {
  type By,
  builtInNames,
  change,
  findMember,
  findOrganization,
  insertMember,
  isBuiltIn,
  lockOrganization,
  nameOf,
  note,
  type OrganizationHeld,
  permissionsOfMember,
  refuseGreaterRoles,
  refuseOtherDomain,
  rolesOf,
  setRoles,
} from '../membership/membership.ts'
import { tellOfOwner } from '../notices/notices.ts'
import { noteJoined, shownTo } from '../organizations/organizations.ts'
import { refusePersonal } from '../personal/personal.ts'
import { invitationMail } from './mail.ts'
import * as store from './store.ts'

const dayMillis = 86_400_000
const expiryDays = 7
const mostPending = 1000
const permission = 'member:invite'

interface Changing {
  readonly standing: Standing
  readonly by: By
}

type Invitation = NonNullable<Awaited<ReturnType<typeof store.findPending>>>

const item = ({ invitationId, email, roles, createdAt, expiresAt }: Invitation) => ({
  invitationId,
  email,
  roles,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})

export async function invite(
  auth: OrganizationHeld,
  { email: given, roles: wanted = ['member'] }: { email: string; roles?: string[] | undefined },
  asked: Changing,
) {
  const email = normaliseEmail(given)
  const roles = [...new Set(wanted)]
  await auth.limits.take('organization invitation by account', asked.by.userId)
  const now = auth.clock.now()
  return change(auth, { ...asked, permission }, async (tx, me) => {
    const { organizationId, userId: invitedBy } = me
    await refusePersonal(tx, organizationId)
    refuseOtherDomain(me.policies, email)
    await refuseGreaterRoles(auth, tx, { me, roles })
    if ((await store.pendingOf(tx, organizationId, now)).length >= mostPending) {
      throw new OrganizationFullError()
    }
    const expiresAt = new Date(now.getTime() + expiryDays * dayMillis)
    const row = { organizationId, email, roles, invitedBy, createdAt: now, expiresAt }
    const invitation = await store.insertInvitation(tx, row)
    if (!invitation) throw new AlreadyInvitedError()
    const { invitationId } = invitation
    const act = 'organization.invited'
    await note(auth, tx, { act, organizationId, by: me, target: invitationId, details: { roles } })
    await auth.linkMail.order(tx, { kind: 'organizations/invitation', id: invitationId })
    return item(invitation)
  })
}

export async function listInvitations({ db, clock }: OrganizationHeld, { id }: Standing) {
  return (await store.pendingOf(db, id, clock.now())).map(item)
}

export async function cancelInvitation(
  auth: OrganizationHeld,
  invitationId: string,
  asked: Changing,
) {
  await change(auth, { ...asked, permission }, async (tx, me) => {
    const { organizationId } = me
    const cancelled = { invitationId, organizationId, now: auth.clock.now() }
    const roles = await store.cancel(tx, cancelled)
    if (!roles) throw new OrganizationInvitationNotFoundError()
    await refuseGreaterRoles(auth, tx, { me, roles })
    const act = 'organization.invitation_cancelled'
    await note(auth, tx, { act, organizationId, by: me, target: invitationId })
  })
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Makes the token of an invitation and mails its link. A retry makes another, because the first may never have arrived. */
export async function mailInvitation(auth: OrganizationHeld, invitationId: string) {
  const now = auth.clock.now()
  const wanted = await store.findPending(auth.db, invitationId, now)
  if (!wanted) return
  const { email, organizationId, invitedBy, expiresAt } = wanted
  const organization = await findOrganization(auth.db, organizationId)
  if (organization?.state !== 'open') return
  const token = randomBytes(32).toString('base64url')
  if (!(await store.issue(auth.db, invitationId, { tokenHash: hashOf(token), now }))) return
  const url = new URL(auth.invitationPage, auth.appUrl)
  url.searchParams.set('token', token)
  await invitationMail.sendNow({
    to: email,
    locale: await localeFor(auth.db, wanted),
    data: {
      url: url.href,
      organization: organization.name,
      invitedBy: await nameOf(auth.db, invitedBy),
      expiresInDays: Math.ceil((expiresAt.getTime() - now.getTime()) / dayMillis),
    },
  })
}

/** The language of the account that has the address, else of the one that invites it. */
async function localeFor(db: Db, { email: value, invitedBy }: Invitation) {
  const own = await findLocaleAt(db, { type: 'email', value })
  return own ?? (invitedBy === null ? undefined : await findLocale(db, invitedBy))
}

/** For the page that asks its reader to sign in or to join: who holds the token has read it in the mail. */
export async function readOffer(auth: OrganizationHeld, token: string) {
  const presented = { tokenHash: hashOf(token), now: auth.clock.now() }
  return auth.db.transaction(async (tx) => {
    const invitation = await store.findPresented(tx, presented)
    if (!invitation) throw notFound()
    const { organizationId, email, roles } = invitation
    const organization = await findOrganization(tx, organizationId)
    if (organization?.state !== 'open') throw notFound()
    await refuseWithoutInviter(auth, tx, invitation)
    const own = await rolesOf(tx, organizationId, roles)
    return {
      organization: organization.name,
      roles: [
        ...roles.filter(isBuiltIn).map((role) => builtInNames[role]),
        ...own.map(({ displayName }) => displayName),
      ],
      emailHint: hintOf(email),
    }
  })
}

/** Enough for the invited person to know which of their accounts it is. A forwarded mail tells others no address. */
function hintOf(email: string) {
  const [first = ''] = email
  return `${first}…${email.slice(email.lastIndexOf('@'))}`
}

/** Makes the caller a member, if the invitation is for an address that the account has proved. */
export async function acceptInvitation(auth: OrganizationHeld, token: string, by: By) {
  const { userId } = by
  await auth.limits.take('organization invitation use by account', userId)
  const presented = { tokenHash: hashOf(token), now: auth.clock.now() }
  return auth.db.transaction(async (tx) => {
    const invitation = await store.findPresented(tx, presented)
    if (!invitation) throw notFound()
    // Before the organization, in the order of a purge.
    const account = await lockAccount(tx, userId)
    const isProved = account?.email === invitation.email && account.emailVerifiedAt !== null
    if (!isProved) throw notFound()
    const { organizationId, roles, invitedBy } = invitation
    const organization = await lockOrganization(tx, organizationId).catch(refuseClosed)
    await refuseWithoutInviter(auth, tx, invitation)
    // The domains may have changed since it was sent.
    refuseOtherDomain(organization.policies, account.email)
    if (!(await store.accept(tx, presented, userId))) throw notFound()
    let gained = roles
    if (await insertMember(tx, { organizationId, userId, roles, at: presented.now })) {
      await noteJoined(auth, tx, { organizationId, by, details: { invitedBy, roles } })
    } else {
      gained = await addInvited(auth, tx, { invitation, by })
    }
    if (gained.includes('owner')) {
      const how = 'given the role'
      await tellOfOwner(tx, auth, { organizationId, owner: userId, by: invitedBy, how })
    }
    const answer = await shownTo(auth, tx, { row: organization, userId })
    if (!answer) throw notFound()
    return answer
  })
}

/**
 * For a user who has joined by a domain since they were invited: the roles that they gain. An invitation of a member
 * gives none: a member who may only invite would change the roles of others by it.
 */
async function addInvited(
  auth: OrganizationHeld,
  tx: Tx,
  { invitation, by }: { invitation: Invitation; by: By },
) {
  const { organizationId, invitedBy, createdAt } = invitation
  const { userId } = by
  const membership = { organizationId, userId }
  const member = await findMember(tx, membership)
  if (!member || member.joinedAt < createdAt) return []
  const before = member.roles
  const gained = invitation.roles.filter((role) => !before.includes(role))
  if (gained.length === 0) return []
  const after = [...before, ...gained]
  await setRoles(tx, membership, after)
  const act = 'organization.member_roles_changed'
  const details = { before, after, invitedBy }
  await note(auth, tx, { act, organizationId, by, target: userId, details })
  await memberChanged.emit(membership)
  return gained
}

const notFound = () => new OrganizationInvitationNotFoundError()

/** A database that fails is no refusal: the client keeps the invitation, and tries again. */
function refuseClosed(error: unknown): never {
  throw error instanceof OrganizationNotFoundError ? notFound() : error
}

/** An inviter who has left, or may do less by now, can invite no one any more. */
async function refuseWithoutInviter(
  auth: OrganizationHeld,
  tx: Tx,
  { organizationId, invitedBy, roles }: Invitation,
) {
  const inviter = invitedBy && (await findMember(tx, { organizationId, userId: invitedBy }))
  if (!inviter) throw notFound()
  const may = permissionsOfMember(auth, inviter)
  const stored = await rolesOf(tx, organizationId, roles)
  const granted = stored.flatMap(({ permissions }) => permissions)
  const given = permissionsOfMember(auth, { roles, granted })
  const isOwners = roles.includes('owner') && !inviter.roles.includes('owner')
  if (!may.includes(permission) || isOwners || given.some((name) => !may.includes(name))) {
    throw notFound()
  }
}

export {
  cancelForMember,
  cancelForRole,
  forgetInvitationsOf,
  forgetOldInvitations,
} from './store.ts'
