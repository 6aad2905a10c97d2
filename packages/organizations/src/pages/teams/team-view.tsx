'use client'

import { ButtonLink, ConfirmButton, Outcome, Panel } from '@svc/web/account'
import { useRouter } from 'next/navigation.js'
import { useRef } from 'react'
import { ListPages } from '../acts/list-pages.tsx'
import { useAct } from '../acts/use-act.ts'
import {
  type OwnOrganization,
  organizationApi,
  type Role,
  type Team,
  type TeamMember,
} from '../organization-api.ts'
import { useOrganizationSay, usePlaces } from '../provider/organization-provider.tsx'
import { NamedRolesForm } from '../roles/named-roles-form.tsx'
import { TeamMemberRow } from './team-member-row.tsx'
import { mayManageTeam, teamRoles } from './team-roles.ts'

interface TeamViewProps {
  organization: OwnOrganization
  team: Team
  /** One page of them. */
  members: readonly TeamMember[]
  roles: readonly Role[]
  /** Where the next page begins, or null on the last. */
  next: string | null
  isFirst: boolean
  userId: string
  renderedAt: number
}

/** The members of a team, and what the user may do about them and about the team. */
export function TeamView(given: TeamViewProps) {
  const { organization, team, roles } = given
  const say = useOrganizationSay()
  const mayManage = mayManageTeam(organization, team, roles)
  return (
    <div className="svc-stack svc-stack-6">
      <Members {...given} mayManage={mayManage} />
      {mayManage && (
        <Panel title={say('Name and roles')}>
          <ChangeTeam key={team.teamId} {...{ organization, team, roles }} />
        </Panel>
      )}
    </div>
  )
}

function Members({
  organization,
  team,
  members,
  ...given
}: TeamViewProps & { mayManage: boolean }) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const acting = useAct()
  const box = useRef<HTMLDivElement>(null)

  async function run(act: () => Promise<unknown>, words: string) {
    const isDone = await acting.run(act, words)
    // The button that had the focus may disappear with its member.
    if (isDone) box.current?.focus()
    return isDone
  }

  return (
    <div ref={box} tabIndex={-1} className="svc-focusable">
      <div className="svc-outcome-box">
        <Outcome problem={acting.problem} done={acting.done} />
      </div>
      {members.length === 0 && given.isFirst && (
        <p className="svc-note">{say('No member is in this team yet.')}</p>
      )}
      {members.length > 0 && (
        <ul className="svc-sheet">
          {members.map((member) => (
            <TeamMemberRow
              key={member.userId}
              {...{ organization, team, member, run }}
              {...given}
              isBusy={acting.isBusy}
              isSelf={member.userId === given.userId}
            />
          ))}
        </ul>
      )}
      {given.mayManage && (
        <p className="svc-above-4">
          <ButtonLink href={pageOf(organization.slug, 'members')}>{say('Add members')}</ButtonLink>
        </p>
      )}
      <ListPages
        label={say('Pages of members')}
        href={pageOf(organization.slug, `teams/${team.teamId}`)}
        next={given.next}
        isFirst={given.isFirst}
      />
    </div>
  )
}

function ChangeTeam({
  organization,
  team,
  roles,
}: Pick<TeamViewProps, 'organization' | 'team' | 'roles'>) {
  const say = useOrganizationSay()
  const { pageOf } = usePlaces()
  const router = useRouter()
  const acting = useAct({ invalid: 'A name has 1 to 100 characters.' })
  const params = { org: organization.organizationId, teamId: team.teamId }
  const { name } = team
  const remove = () =>
    acting.run(
      async () => {
        await organizationApi.deleteTeam.call({ params })
        router.push(pageOf(organization.slug, 'teams'))
      },
      say('The team {name} is deleted.', { name }),
    )
  return (
    <div className="svc-stack">
      <NamedRolesForm
        roles={teamRoles(organization, roles)}
        legend={say('Roles of each member, in the whole organization')}
        of={team}
        label={say('Save')}
        busyLabel={say('Saving…')}
        isBusy={acting.isBusy}
        outcome={<Outcome problem={acting.problem} done={acting.done} />}
        onSubmit={(body) =>
          acting.run(
            () => organizationApi.updateTeam.call({ params, body }),
            say('The team {name} is changed.', { name: body.name }),
          )
        }
      />
      <div>
        <ConfirmButton
          look="danger"
          isBusy={acting.isBusy}
          question={say('Delete the team {name}? Its members stay in the organization.', { name })}
          confirm={say('Yes, delete it')}
          onConfirm={() => void remove()}
          refusal={acting.problem}
        >
          {say('Delete the team')}
        </ConfirmButton>
      </div>
    </div>
  )
}
