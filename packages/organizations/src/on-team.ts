import { allow, getKeyKind, type TenantPart } from '@svc/auth/server'
import { currentDb, ForbiddenError, type HandlerContext, type RawContext } from '@svc/core'
import { getOrganization, isMember } from './allow.ts'
import { organization } from './contract.ts'
import { TeamNotFoundError } from './membership/errors.ts'
import { isUuid, type TeamStanding } from './membership/membership.ts'
import { findStoredTeam, isInTeam } from './teams/teams.ts'

const kept = 'organizations.team'

const team: TenantPart = {
  name: 'team',
  param: 'team',
  NotFoundError: TeamNotFoundError,
  async admit(c, id, permissions) {
    c.set(kept, await teamFor(c, id, permissions))
  },
}

/** A member of the team may what its roles permit, and a member of the organization what is permitted everywhere in it. */
async function teamFor(c: RawContext, id: string, asked: readonly string[]): Promise<TeamStanding> {
  const { id: organizationId, permissions, teams } = getOrganization(c)
  const own = teams.find((each) => each.id === id.toLowerCase())
  if (own) {
    if (asked.some((name) => !own.permissions.includes(name))) {
      throw new ForbiddenError({ message: 'Your role in this team does not allow this.' })
    }
    return own
  }
  const needed = asked.length > 0 ? asked : ['team:manage']
  if (needed.some((name) => !permissions.includes(name)) || !isUuid(id)) {
    throw new TeamNotFoundError()
  }
  // Only for those who may do it in each team. Others are not told whether there is one.
  const found = await findStoredTeam(databaseOf('onTeam'), { organizationId, teamId: id })
  if (!found) throw new TeamNotFoundError()
  return { id: found.teamId, name: found.name, roles: [], permissions }
}

/**
 * A caller who has all of these permissions in the team in the path: by the roles in the team, or in the whole
 * organization. `onTeam('invoice:write')(route.post('/orgs/:org/teams/:team/invoices')…)`. Without permissions, it
 * accepts every member of the team, and members who have `team:manage`.
 */
export const onTeam = (...permissions: readonly string[]) =>
  allow.inPart(organization, team, ...permissions)

/** The same as `onTeam`, with a fresh proof: for what gives power in the team. */
export const freshOnTeam = (...permissions: readonly string[]) =>
  allow.freshInPart(organization, team, ...permissions)

/** The team of a request, and what the caller may do in it. It refuses a caller who has no access to one. */
export function getTeam(c: RawContext | HandlerContext): TeamStanding {
  const found = ('raw' in c ? c.raw : c).get<TeamStanding>(kept)
  if (!found) throw new TeamNotFoundError()
  return found
}

/**
 * Whether a user is in a team now: for the rule of a channel, and for a job. A rule passes on the `credential` that it
 * is given: nothing in the organization was chosen for a machine's key.
 */
export async function isTeamMember(
  userId: string,
  organizationId: string,
  teamId: string,
  credential?: string,
): Promise<boolean> {
  const db = databaseOf('isTeamMember')
  if (!isUuid(organizationId) || !isUuid(teamId)) return false
  if (credential !== undefined && (await getKeyKind(credential)) === 'machine') return false
  if (!(await isInTeam(db, { userId, organizationId, teamId }))) return false
  return isMember(userId, organizationId, credential)
}

function databaseOf(caller: string) {
  const db = currentDb()
  if (db) return db
  throw new Error(`${caller}: call it in a request, a job or the rule of a channel.`)
}
