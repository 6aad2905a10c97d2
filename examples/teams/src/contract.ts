import { allow, defineContract, limitRefusals, perDay, perMinute } from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import {
  TeamFullError,
  TeamMemberNotFoundError,
  TeamNotFoundError,
  TeamOwnerOnlyError,
} from './errors.ts'
import { teamChanged } from './events.ts'

const id = t.String({ format: 'uuid' })
const named = t.Object({ name: t.String({ minLength: 1, maxLength: 100, pattern: '\\S' }) })
const ofTeam = t.Object({ teamId: id })
const ofMember = t.Object({ teamId: id, userId: id })

const Team = t.Object({
  teamId: t.String(),
  name: t.String(),
  ownerId: t.String(),
  userIds: t.Array(t.String(), { description: 'Its members, in the order in which they came.' }),
})

/** Teams with members. */
export const teams = defineContract('teams', {
  operations: {
    createTeam: allow.may(
      'team:create',
      'owner only',
    )(
      route
        .post('/_auth/teams')
        .input({ body: named })
        .answer(Team, 201)
        .errors(...limitRefusals)
        .describe({ summary: 'Creates a team. The caller is its owner and first member.' }),
    ),
    listTeams: allow.bearer('support too')(
      route
        .get('/_auth/teams')
        .answer(t.Object({ teams: t.Array(Team) }))
        .describe({ summary: 'Lists the teams that the caller is a member of.' }),
    ),
    renameTeam: allow.bearer('owner only')(
      route
        .patch('/_auth/teams/:teamId')
        .input({ params: ofTeam, body: named })
        .answer(t.Undefined(), 204)
        .errors(TeamNotFoundError, TeamOwnerOnlyError, ...limitRefusals)
        .describe({ summary: 'Renames a team. Only its owner may.' }),
    ),
    addTeamMember: allow.bearer('owner only')(
      route
        .put('/_auth/teams/:teamId/members/:userId')
        .input({ params: ofMember })
        .answer(t.Undefined(), 204)
        .errors(
          TeamNotFoundError,
          TeamOwnerOnlyError,
          TeamMemberNotFoundError,
          TeamFullError,
          ...limitRefusals,
        )
        .describe({ summary: 'Adds a user to a team. Only its owner may.' }),
    ),
    removeTeamMember: allow.bearer('owner only')(
      route
        .delete('/_auth/teams/:teamId/members/:userId')
        .input({ params: ofMember })
        .answer(t.Undefined(), 204)
        .errors(TeamNotFoundError, TeamOwnerOnlyError, TeamMemberNotFoundError, ...limitRefusals)
        .describe({
          summary: 'Removes a member from a team. Its owner may, and each member may leave.',
        }),
    ),
  },
  errors: [TeamNotFoundError, TeamMemberNotFoundError, TeamOwnerOnlyError, TeamFullError],
  limits: {
    'team create by account': perDay(20),
    'team change by account': perMinute(60),
  },
  events: { teamChanged },
  types: { Team },
})
