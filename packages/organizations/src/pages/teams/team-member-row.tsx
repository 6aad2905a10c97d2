import { Button, ConfirmButton, RelativeTime, useNow } from '@svc/web/account'
import { useState } from 'react'
import { ActForm } from '../acts/act-form.tsx'
import { MemberEntry, nameOf } from '../acts/member-entry.tsx'
import {
  type OwnOrganization,
  organizationApi,
  type Role,
  type Team,
  type TeamMember,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { RoleBoxes } from '../roles/role-boxes.tsx'
import { areWithin, useRoleWords } from '../roles/role-words.ts'
import { teamRoles } from './team-roles.ts'

interface TeamMemberRowProps {
  organization: OwnOrganization
  team: Team
  member: TeamMember
  roles: readonly Role[]
  mayManage: boolean
  isSelf: boolean
  isBusy: boolean
  renderedAt: number
  /** Resolves to whether it was done. */
  run: (act: () => Promise<unknown>, words: string) => Promise<boolean>
}

/** A member of a team, what they may do in it, and what the user may do about that. */
export function TeamMemberRow(given: TeamMemberRowProps) {
  const { organization, member, roles, isSelf } = given
  const say = useOrganizationSay()
  const roleWords = useRoleWords(roles)
  const now = useNow(given.renderedAt)
  const [isOpen, setOpen] = useState(false)
  const since = <RelativeTime at={member.joinedAt} now={now} />
  const mayChange = given.mayManage && areWithin(organization, member.roles, roles)
  return (
    <li className="svc-listed">
      <MemberEntry
        member={member}
        isSelf={isSelf}
        note={
          member.roles.length > 0
            ? say.nodes('{roles} in this team · joined {since}', {
                roles: roleWords(member.roles),
                since,
              })
            : say.nodes('Joined {since}', { since })
        }
      >
        {mayChange && (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? say('Done') : say('Manage')}
            <span className="svc-hidden"> {nameOf(member)}</span>
          </Button>
        )}
        {isSelf && !mayChange && <Leave {...given} />}
      </MemberEntry>
      {mayChange && isOpen && (
        <div className="svc-stack svc-above-4">
          <ChangeRoles {...given} />
          <div className="svc-row-actions">
            {isSelf ? <Leave {...given} /> : <Remove {...given} />}
          </div>
        </div>
      )}
    </li>
  )
}

function ChangeRoles({ organization, team, member, roles, isBusy, run }: TeamMemberRowProps) {
  const say = useOrganizationSay()
  const [chosen, setChosen] = useState<readonly string[]>(member.roles)
  const params = {
    org: organization.organizationId,
    teamId: team.teamId,
    userId: member.userId,
  }
  const save = () =>
    run(
      () => organizationApi.setTeamMemberRoles.call({ params, body: { roles: [...chosen] } }),
      say('The roles of {name} are changed.', { name: nameOf(member) }),
    )
  return (
    <ActForm
      label={say('Save the roles')}
      busyLabel={say('Saving…')}
      isBusy={isBusy}
      onSubmit={save}
    >
      <RoleBoxes
        legend={say('Roles in this team alone')}
        roles={teamRoles(organization, roles)}
        chosen={chosen}
        onChoose={setChosen}
      />
    </ActForm>
  )
}

function Remove({ organization, team, member, isBusy, run }: TeamMemberRowProps) {
  const say = useOrganizationSay()
  const params = {
    org: organization.organizationId,
    teamId: team.teamId,
    userId: member.userId,
  }
  const name = nameOf(member)
  return (
    <ConfirmButton
      look="danger"
      isBusy={isBusy}
      question={say('Take {name} out of the team {team}?', { name, team: team.name })}
      confirm={say('Yes, remove')}
      onConfirm={() =>
        void run(
          () => organizationApi.removeTeamMember.call({ params }),
          say('{name} is no longer in the team.', { name }),
        )
      }
    >
      {say('Remove')}
    </ConfirmButton>
  )
}

function Leave({ organization, team, isBusy, run }: TeamMemberRowProps) {
  const say = useOrganizationSay()
  const params = { org: organization.organizationId, teamId: team.teamId }
  const { name } = team
  return (
    <ConfirmButton
      look="danger"
      isBusy={isBusy}
      question={say('Leave the team {name}? You stay in the organization.', { name })}
      confirm={say('Yes, leave')}
      onConfirm={() =>
        void run(
          () => organizationApi.leaveTeam.call({ params }),
          say('You have left {name}.', { name }),
        )
      }
    >
      {say('Leave')}
    </ConfirmButton>
  )
}
