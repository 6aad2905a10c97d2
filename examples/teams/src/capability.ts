import { defineCapability } from '@svc/auth/server'
import { addMember, createTeam, forgetMember, removeMember, renameTeam } from './change-team.ts'
import { teams as contract } from './contract.ts'
import { teamActs } from './held.ts'
import { teamJobs } from './jobs.ts'
import { removedMail } from './mail.ts'
import { members, teams } from './schema.ts'
import { deleteEmptyTeams, exportTeams, teamsOf } from './store.ts'

export interface TeamOptions {
  /** How many members a team may have. 50 unless set. */
  maxMembers?: number
}

/** Teams with members. */
export const teamCapability = ({ maxMembers = 50 }: TeamOptions = {}) =>
  defineCapability(contract, {
    tables: { teams, members },
    migrations: new URL('../migrations/', import.meta.url),
    permissions: [{ name: 'team:create', displayName: 'Create teams', category: 'teams' }],
    audit: teamActs,
    mails: [removedMail],
    jobs: teamJobs,
    open: () => ({ maxMembers }),
    handlers: {
      async createTeam({ auth, caller: { userId }, body, origin, c }) {
        return c.created(await createTeam(auth, body, { userId, origin }))
      },
      async listTeams({ auth, caller }) {
        return { teams: await teamsOf(auth.db, caller.userId) }
      },
      async renameTeam({ auth, caller: { userId }, params, body, origin, c }) {
        await renameTeam(auth, { ...params, ...body }, { userId, origin })
        return c.noContent()
      },
      async addTeamMember({ auth, caller: { userId }, params, origin, c }) {
        await addMember(auth, params, { userId, origin })
        return c.noContent()
      },
      async removeTeamMember({ auth, caller: { userId }, params, origin, c }) {
        await removeMember(auth, params, { userId, origin })
        return c.noContent()
      },
    },
    account: {
      export: { teams: exportTeams },
      forget: forgetMember,
      sweep: (db) => deleteEmptyTeams(db),
    },
  })
