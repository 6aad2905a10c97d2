import { ValidationError } from '@svc/core/client'
import { notFound, redirect } from 'next/navigation.js'
import { PartView } from '../acts/part-view.tsx'
import type { OwnOrganization } from '../organization-api.ts'
import { TeamView } from '../teams/team-view.tsx'
import { TeamsView } from '../teams/teams-view.tsx'
import { orNotFound, serverOrganizationApi } from './server-organizations.ts'

interface TeamsPageProps {
  organization: OwnOrganization
}

/** The teams of an organization. */
export async function TeamsPage({ organization }: TeamsPageProps) {
  const params = { org: organization.organizationId }
  const api = serverOrganizationApi()
  const [{ teams }, { roles }] = await Promise.all([
    api.listTeams.call({ params }).catch(orNotFound),
    api.listOrganizationRoles.call({ params }).catch(orNotFound),
  ])
  return <TeamsView {...{ organization, teams, roles }} />
}

interface TeamPageProps extends TeamsPageProps {
  teamId: string
  userId: string
  /** Where the page of the list begins. */
  after: string | undefined
  /** The address of the team. */
  address: string
}

/** One team, with its members. */
export async function TeamPage({ organization, teamId, userId, after, address }: TeamPageProps) {
  const params = { org: organization.organizationId }
  const api = serverOrganizationApi()
  const { teams } = await api.listTeams.call({ params }).catch(orNotFound)
  const team = teams.find((each) => each.teamId === teamId)
  if (!team) notFound()
  const query = after === undefined ? {} : { after }
  const [page, { roles }] = await Promise.all([
    api.listTeamMembers.call({ params: { ...params, teamId }, query }).catch((error: unknown) => {
      // Another order has written this place, or a person.
      if (error instanceof ValidationError && after !== undefined) redirect(address)
      return orNotFound(error)
    }),
    api.listOrganizationRoles.call({ params }).catch(orNotFound),
  ])
  return (
    <PartView part="teams" name={team.name}>
      <TeamView
        {...{ organization, team, roles, userId }}
        members={page.items}
        next={page.next ?? null}
        isFirst={after === undefined}
        renderedAt={Date.now()}
      />
    </PartView>
  )
}
