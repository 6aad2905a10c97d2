import type { Tx } from '@svc/core'
import { findMember } from '../membership/membership.ts'
import {
  countTeams,
  countTeamsOf,
  findStoredTeam,
  findTeamMember,
  insertTeam,
  insertTeamMember,
  mostTeams,
  mostTeamsOfMember,
} from '../teams/teams.ts'
import { lockUser, type OfUser } from './import-member.ts'
import { requireOrganization } from './open-organization.ts'
import { type ImportedOrganization, idOf, type Line, RefusedRow, type Run } from './run.ts'
import * as store from './store.ts'

interface Team extends ImportedOrganization {
  readonly line: number
  readonly team: { readonly id: unknown; readonly name: unknown }
}

/** Adds a team without roles. Teams of other systems give none to their members. */
export async function importTeam(tx: Tx, run: Run, given: Team): Promise<Line[]> {
  const { line, organizationId } = given
  const team = readTeam(run, given.team)
  await requireOrganization(tx, run, given)
  const key = { organizationId, teamId: team.teamId }
  const of = { line, kind: 'team', ...key }
  const isNew = await store.mark(tx, { organizationId, thing: `team ${team.teamId}` })
  if (await findStoredTeam(tx, key)) return [{ ...of, outcome: 'exists' }]
  if (!isNew) throw new RefusedRow('left_since')
  if ((await countTeams(tx, organizationId)) >= mostTeams) throw new RefusedRow('full')
  const at = run.clock.now()
  await insertTeam(tx, { ...key, name: team.name, roles: [], createdAt: at })
  const details = { organizationId, name: team.name, roles: [], source: run.from }
  await run.audit(tx, 'organization.team_created', { target: team.teamId, details, at })
  return [{ ...of, outcome: 'created' }]
}

type TeamMember = Team & { readonly given: OfUser }

/** Adds a member of the organization to an imported team. */
export async function importTeamMember(tx: Tx, run: Run, given: TeamMember): Promise<Line[]> {
  const { line, organizationId } = given
  const { teamId } = readTeam(run, given.team)
  const { userId } = await lockUser(tx, run, given.given)
  await requireOrganization(tx, run, given)
  const membership = { organizationId, teamId, userId }
  const of = { line, kind: 'team member', ...membership }
  const isRehearsed = (thing: string) => run.rehearsed.has(`${organizationId} ${thing}`)
  const thing = `team member ${teamId} ${userId}`
  if (isRehearsed(thing) || (await findTeamMember(tx, membership))) {
    await store.mark(tx, { organizationId, thing, userId })
    return [{ ...of, outcome: 'exists' }]
  }
  if (!(isRehearsed(`team ${teamId}`) || (await findStoredTeam(tx, membership)))) {
    throw new RefusedRow('team_unknown')
  }
  if (!(isRehearsed(`member ${userId}`) || (await findMember(tx, membership)))) {
    throw new RefusedRow('not_a_member')
  }
  if (!(await store.mark(tx, { organizationId, thing, userId }))) throw new RefusedRow('left_since')
  if ((await countTeamsOf(tx, membership)) >= mostTeamsOfMember) throw new RefusedRow('full')
  const at = run.clock.now()
  // A dry run has taken back the team and the member, without which there can be no row.
  if (!run.dryRun) await insertTeamMember(tx, { ...membership, roles: [], joinedAt: at })
  const details = { organizationId, teamId, roles: [], source: run.from }
  await run.audit(tx, 'organization.team_member_added', { target: userId, details, at })
  return [{ ...of, outcome: 'created' }]
}

function readTeam(run: Run, given: Team['team']) {
  const teamId = idOf(run, 'team', run.readers.id(given.id))
  const name = run.readers.line(given.name, 100)
  if (teamId === null || name === undefined) throw new RefusedRow('id_invalid')
  return { teamId, name }
}
