import type { Handlers } from '@svc/auth/server'
import { byCaller, type OrganizationHeld } from '../membership/membership.ts'
import type { ofTeams } from './contract.ts'
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  leaveTeam,
  listTeamMembers,
  listTeams,
  removeTeamMember,
  setTeamMemberRoles,
  updateTeam,
} from './teams.ts'

export const teamHandlers: Handlers<typeof ofTeams, OrganizationHeld> = {
  async createTeam({ auth, standing, caller, body, origin, c }) {
    return c.created(await createTeam(auth, body, { standing, by: byCaller(caller, origin) }))
  },
  async listTeams({ auth, standing }) {
    return { teams: await listTeams(auth, standing) }
  },
  updateTeam({ auth, standing, caller, params, body, origin }) {
    const asked = { standing, teamId: params.teamId, by: byCaller(caller, origin) }
    return updateTeam(auth, body, asked)
  },
  async deleteTeam({ auth, standing, caller, params, origin, c }) {
    await deleteTeam(auth, { standing, teamId: params.teamId, by: byCaller(caller, origin) })
    return c.noContent()
  },
  listTeamMembers: ({ auth, standing, params, query }) =>
    listTeamMembers(auth, { standing, teamId: params.teamId }, query),
  async addTeamMember({ auth, standing, caller, params, body, origin, c }) {
    const { userId, roles } = body
    const asked = { standing, teamId: params.teamId, by: byCaller(caller, origin) }
    await addTeamMember(auth, { ...asked, userId, roles })
    return c.noContent()
  },
  async setTeamMemberRoles({ auth, standing, caller, params, body, origin, c }) {
    const { teamId, userId } = params
    const asked = { standing, teamId, userId, by: byCaller(caller, origin) }
    await setTeamMemberRoles(auth, { ...asked, roles: body.roles })
    return c.noContent()
  },
  async removeTeamMember({ auth, standing, caller, params, origin, c }) {
    const { teamId, userId } = params
    await removeTeamMember(auth, { standing, teamId, userId, by: byCaller(caller, origin) })
    return c.noContent()
  },
  async leaveTeam({ auth, standing, caller, params, origin, c }) {
    await leaveTeam(auth, { standing, teamId: params.teamId, by: byCaller(caller, origin) })
    return c.noContent()
  },
}
