'use client'

import { ButtonLink, Outcome, Panel } from '@svc/web/account'
import { useAct } from '../acts/use-act.ts'
import { type OwnOrganization, organizationApi, type Role, type Team } from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import { NamedRolesForm } from '../roles/named-roles-form.tsx'
import { useRoleWords } from '../roles/role-words.ts'
import { teamRoles } from './team-roles.ts'

interface TeamsViewProps {
  organization: OwnOrganization
  teams: readonly Team[]
  roles: readonly Role[]
}

/** The teams of an organization, and a form for a new one. */
export function TeamsView({ organization, teams, roles }: TeamsViewProps) {
  const say = useOrganizationSay()
  return (
    <div className="svc-stack svc-stack-6">
      {teams.length === 0 ? (
        <p className="svc-note">{say('There is no team yet.')}</p>
      ) : (
        <ul className="svc-sheet">
          {teams.map((team) => (
            <TeamRow key={team.teamId} {...{ organization, team, roles }} />
          ))}
        </ul>
      )}
      {organization.permissions.includes('team:manage') && (
        <Panel title={say('A new team')} about={say('You add its members under Members.')}>
          <NewTeam {...{ organization, roles }} />
        </Panel>
      )}
    </div>
  )
}

function TeamRow({
  organization,
  team,
  roles,
}: Pick<TeamsViewProps, 'organization' | 'roles'> & { team: Team }) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const roleWords = useRoleWords(roles)
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart svc-entry-middle">
        <div className="svc-entry-text">
          <h2 className="svc-strong svc-break">
            <bdi>{team.name}</bdi>
          </h2>
          <p className="svc-note">
            {team.roles.length > 0 ? roleWords(team.roles) : say('Without roles of its own.')}
          </p>
        </div>
        <ButtonLink href={pageOf(organization.slug, `teams/${team.teamId}`)}>
          {say('Open')}
          <span className="svc-hidden"> {team.name}</span>
        </ButtonLink>
      </div>
    </li>
  )
}

function NewTeam({ organization, roles }: Pick<TeamsViewProps, 'organization' | 'roles'>) {
  const say = useOrganizationSay()
  const creating = useAct({
    invalid: 'A name has 1 to 100 characters.',
    full: 'There are as many teams as an organization may have. Delete one first.',
  })
  const params = { org: organization.organizationId }
  return (
    <NamedRolesForm
      roles={teamRoles(organization, roles)}
      legend={say('Roles of each member, in the whole organization')}
      label={say('Create the team')}
      busyLabel={say('Creating…')}
      isBusy={creating.isBusy}
      outcome={<Outcome problem={creating.problem} done={creating.done} />}
      onSubmit={(body) =>
        creating.run(
          () => organizationApi.createTeam.call({ params, body }),
          say('The team {name} is created.', { name: body.name }),
        )
      }
    />
  )
}
