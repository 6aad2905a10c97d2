import { readNames, type Standing } from '@svc/auth/server'
import { type Tx, ValidationError } from '@svc/core'
import {
  AlreadyInTeamError,
  MemberNotFoundError,
  OrganizationFullError,
  TeamNotFoundError,
} from '../membership/errors.ts'
import { memberChanged, organizationChanged } from '../membership/events.ts'
import {
  type By,
  type Changer,
  change,
  findMember,
  note,
  type OrganizationAct,
  type OrganizationHeld,
  refuseGreaterMember,
  refuseGreaterRoles,
} from '../membership/membership.ts'
import * as store from './store.ts'

interface Changing {
  readonly standing: Standing
  readonly by: By
}

interface OfTeam extends Changing {
  readonly teamId: string
}

interface OfTeamMember extends OfTeam {
  readonly userId: string
}

const permission = 'team:manage'
// As many as a page can show at once.
export const mostTeams = 200
// A request reads the caller's teams with the key.
export const mostTeamsOfMember = 50

const shown = ({ createdAt, ...team }: store.StoredTeam) => ({
  ...team,
  createdAt: createdAt.toISOString(),
})

export async function createTeam(
  auth: OrganizationHeld,
  { name, roles: given = [] }: { name: string; roles?: string[] | undefined },
  asked: Changing,
) {
  const roles = rolesOfTeam(given)
  return change(auth, { ...asked, permission }, async (tx, me) => {
    const { organizationId } = me
    await refuseGreaterRoles(auth, tx, { me, roles })
    if ((await store.countIn(tx, organizationId)) >= mostTeams) throw new OrganizationFullError()
    const createdAt = auth.clock.now()
    const team = await store.insert(tx, { organizationId, name, roles, createdAt })
    await noteTeam(auth, tx, { act: 'organization.team_created', me, team })
    return shown(team)
  })
}

export async function listTeams({ db }: OrganizationHeld, { id }: Standing) {
  return (await store.allOf(db, id)).map(shown)
}

export async function updateTeam(
  auth: OrganizationHeld,
  { name, roles: given }: { name?: string | undefined; roles?: string[] | undefined },
  { teamId, ...asked }: OfTeam,
) {
  const roles = given && rolesOfTeam(given)
  return change(auth, { ...asked, permission }, async (tx, me) => {
    const before = await findTeam(tx, { ...me, teamId })
    // It takes the old roles from each member, and gives the new ones.
    await refuseGreaterRoles(auth, tx, { me, roles: [...before.roles, ...(roles ?? [])] })
    const team = { ...before, name: name ?? before.name, roles: roles ?? before.roles }
    await store.update(tx, { ...me, teamId }, { name: team.name, roles: team.roles })
    await noteTeam(auth, tx, { act: 'organization.team_updated', me, team })
    if (roles) await organizationChanged.emit({ organizationId: me.organizationId })
    return shown(team)
  })
}

export async function deleteTeam(auth: OrganizationHeld, { teamId, ...asked }: OfTeam) {
  await change(auth, { ...asked, permission }, async (tx, me) => {
    const { organizationId } = me
    const team = await findTeam(tx, { organizationId, teamId })
    const inside = await store.rolesInside(tx, { organizationId, teamId })
    await refuseGreaterRoles(auth, tx, { me, roles: [...team.roles, ...inside] })
    await store.deleteTeam(tx, { organizationId, teamId })
    await noteTeam(auth, tx, { act: 'organization.team_deleted', me, team })
    await organizationChanged.emit({ organizationId })
  })
}

export async function listTeamMembers(
  { db }: OrganizationHeld,
  { standing, teamId }: Pick<OfTeam, 'standing' | 'teamId'>,
  query: { after?: string | undefined; limit: number },
) {
  const team = { organizationId: standing.id, teamId }
  await findTeam(db, team)
  const { items, ...next } = await store.page(db, { ...team, ...query })
  const names = await readNames(
    db,
    items.map(({ userId }) => userId),
  )
  const listed = items.map(({ joinedAt, ...member }) => ({
    ...member,
    email: names.get(member.userId)?.email ?? null,
    displayName: names.get(member.userId)?.displayName ?? null,
    joinedAt: joinedAt.toISOString(),
  }))
  return { items: listed, ...next }
}

export async function addTeamMember(
  auth: OrganizationHeld,
  { roles: given = [], teamId, userId, ...asked }: OfTeamMember & { roles?: string[] | undefined },
) {
  const roles = rolesOfTeam(given)
  await change(auth, { ...asked, permission }, async (tx, me) => {
    const { organizationId } = me
    const team = await findTeam(tx, { organizationId, teamId })
    await refuseGreaterRoles(auth, tx, { me, roles: [...team.roles, ...roles] })
    const membership = { organizationId, teamId, userId }
    if (!(await findMember(tx, membership))) throw new MemberNotFoundError()
    if ((await store.countTeamsOf(tx, membership)) >= mostTeamsOfMember) {
      throw new OrganizationFullError()
    }
    const row = { ...membership, roles, joinedAt: auth.clock.now() }
    if (!(await store.insertTeamMember(tx, row))) throw new AlreadyInTeamError()
    const act = 'organization.team_member_added'
    await noteMember(auth, tx, { act, me, membership, details: { roles } })
  })
}

export async function setTeamMemberRoles(
  auth: OrganizationHeld,
  { roles: given, teamId, userId, ...asked }: OfTeamMember & { roles: string[] },
) {
  const roles = rolesOfTeam(given)
  await change(auth, { ...asked, permission }, async (tx, me) => {
    const membership = { organizationId: me.organizationId, teamId, userId }
    await findTeam(tx, membership)
    const before = await findChangeable(auth, tx, { me, membership })
    await refuseGreaterRoles(auth, tx, { me, roles })
    await store.setTeamRoles(tx, membership, roles)
    const act = 'organization.team_member_roles_changed'
    const details = { before: before.roles, after: roles }
    await noteMember(auth, tx, { act, me, membership, details })
  })
}

export async function removeTeamMember(
  auth: OrganizationHeld,
  { teamId, userId, ...asked }: OfTeamMember,
) {
  await change(auth, { ...asked, permission }, async (tx, me) => {
    const membership = { organizationId: me.organizationId, teamId, userId }
    await findTeam(tx, membership)
    await findChangeable(auth, tx, { me, membership })
    await store.deleteTeamMember(tx, membership)
    await noteMember(auth, tx, { act: 'organization.team_member_removed', me, membership })
  })
}

export async function leaveTeam(auth: OrganizationHeld, { teamId, ...asked }: OfTeam) {
  await change(auth, asked, async (tx, me) => {
    const membership = { organizationId: me.organizationId, teamId, userId: me.userId }
    if (!(await store.deleteTeamMember(tx, membership))) throw new TeamNotFoundError()
    await noteMember(auth, tx, { act: 'organization.team_member_removed', me, membership })
  })
}

/** An owner is one of the organization: the role can be given to a member, and to no team. */
function rolesOfTeam(given: readonly string[]) {
  if (!given.includes('owner')) return [...new Set(given)]
  const message = 'A team can’t be an owner. Choose another role.'
  throw new ValidationError({ fields: [{ path: 'body.roles', message }] })
}

async function findTeam(db: Parameters<typeof store.find>[0], team: store.TeamKey) {
  const found = await store.find(db, team)
  if (!found) throw new TeamNotFoundError()
  return found
}

interface Changeable {
  readonly me: Changer
  readonly membership: store.TeamMembership
}

/** A member of the team who may do no more than the caller, in the organization and in the team. */
async function findChangeable(auth: OrganizationHeld, tx: Tx, { me, membership }: Changeable) {
  const found = await store.findTeamMember(tx, membership)
  const member = await findMember(tx, membership)
  if (!found || !member) throw new MemberNotFoundError()
  refuseGreaterMember(auth, me, member)
  await refuseGreaterRoles(auth, tx, { me, roles: found.roles })
  return found
}

interface TeamNote {
  readonly act: OrganizationAct
  readonly me: Changer
  readonly team: store.StoredTeam
}

function noteTeam(auth: OrganizationHeld, tx: Tx, { act, me, team }: TeamNote) {
  const { organizationId } = me
  const details = { name: team.name, roles: team.roles }
  return note(auth, tx, { act, organizationId, by: me, target: team.teamId, details })
}

interface MemberNote {
  readonly act: OrganizationAct
  readonly me: Changer
  readonly membership: store.TeamMembership
  readonly details?: Record<string, unknown>
}

async function noteMember(
  auth: OrganizationHeld,
  tx: Tx,
  { act, me, membership, details }: MemberNote,
) {
  const { organizationId, teamId, userId } = membership
  const told = { teamId, ...details }
  await note(auth, tx, { act, organizationId, by: me, target: userId, details: told })
  await memberChanged.emit({ organizationId, userId })
}

export {
  countIn as countTeams,
  countTeamsOf,
  find as findStoredTeam,
  findTeamMember,
  insert as insertTeam,
  insertTeamMember,
  isInTeam,
  rolesInTeamsOf,
  takeFromTeams,
  teamsOf,
} from './store.ts'
