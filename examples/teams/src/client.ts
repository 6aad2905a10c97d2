import { clientOf } from '@svc/auth'
import type { teams } from './contract.ts'
import {
  TeamFullError,
  TeamMemberNotFoundError,
  TeamNotFoundError,
  TeamOwnerOnlyError,
} from './errors.ts'

const member = '/_auth/teams/:teamId/members/:userId'

/** The client's half. It has the contract by type alone, so that no schema gets into browsers. */
export const teamClient = clientOf<typeof teams>({
  routeMap: {
    createTeam: { method: 'POST', path: '/_auth/teams' },
    listTeams: { method: 'GET', path: '/_auth/teams' },
    renameTeam: { method: 'PATCH', path: '/_auth/teams/:teamId' },
    addTeamMember: { method: 'PUT', path: member },
    removeTeamMember: { method: 'DELETE', path: member },
  },
  errors: [TeamNotFoundError, TeamMemberNotFoundError, TeamOwnerOnlyError, TeamFullError],
})
