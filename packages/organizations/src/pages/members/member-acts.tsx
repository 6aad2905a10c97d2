import { ConfirmButton, Select } from '@svc/web/account'
import { useState } from 'react'
import { ActForm } from '../acts/act-form.tsx'
import {
  type Member,
  type OwnOrganization,
  organizationApi,
  type Role,
  type Team,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { RoleBoxes } from '../roles/role-boxes.tsx'
import { isWithin } from '../roles/role-words.ts'

/** A member, and what runs an action about them. */
export interface MemberRowProps {
  organization: OwnOrganization
  member: Member
  roles: readonly Role[]
  /** Those that the user may add members to. */
  teams: readonly Team[]
  now: number
  isSelf: boolean
  isBusy: boolean
  /** Resolves to whether it was done. */
  run: (act: () => Promise<unknown>, words: string) => Promise<boolean>
}

type MemberActsProps = MemberRowProps & { name: string; mayChange: boolean }

/** What the user may do about a member: each is offered only if a permission allows it. */
export function MemberActs(given: MemberActsProps) {
  const { permissions } = given.organization
  const isOther = !given.isSelf && given.mayChange
  return (
    <div className="svc-stack svc-above-4">
      {given.mayChange && permissions.includes('member:update') && <ChangeRoles {...given} />}
      {given.teams.length > 0 && <AddToTeam {...given} />}
      <div className="svc-row-actions">
        {isOther && given.organization.roles.includes('owner') && <HandOver {...given} />}
        {isOther && permissions.includes('member:remove') && <Remove {...given} />}
      </div>
    </div>
  )
}

function ChangeRoles({ organization, member, roles, name, isBusy, run }: MemberActsProps) {
  const say = useOrganizationSay()
  const [chosen, setChosen] = useState<readonly string[]>(member.roles)
  const params = { org: organization.organizationId, userId: member.userId }
  const save = () =>
    run(
      () => organizationApi.setMemberRoles.call({ params, body: { roles: [...chosen] } }),
      say('The roles of {name} are changed.', { name }),
    )
  return (
    <ActForm
      label={say('Save the roles')}
      busyLabel={say('Saving…')}
      isBusy={isBusy}
      onSubmit={save}
    >
      <RoleBoxes
        roles={roles.filter((role) => isWithin(organization, role))}
        chosen={chosen}
        onChoose={setChosen}
      />
    </ActForm>
  )
}

/** Which teams a member is in is on the pages of the teams. */
function AddToTeam({ organization, member, teams, name, isBusy, run }: MemberActsProps) {
  const say = useOrganizationSay()
  const [chosen, setChosen] = useState('')
  const team = teams.find(({ teamId }) => teamId === chosen) ?? teams[0]
  if (!team) return null
  const params = { org: organization.organizationId, teamId: team.teamId }
  const add = () =>
    run(
      () => organizationApi.addTeamMember.call({ params, body: { userId: member.userId } }),
      say('{name} is in the team {team} now.', { name, team: team.name }),
    )
  return (
    <ActForm
      label={say('Add to the team')}
      busyLabel={say('Saving…')}
      look="plain"
      isBusy={isBusy}
      onSubmit={add}
    >
      <Select
        label={say('Team')}
        value={team.teamId}
        onChange={(event) => setChosen(event.target.value)}
      >
        {teams.map(({ teamId, name: label }) => (
          <option key={teamId} value={teamId}>
            {label}
          </option>
        ))}
      </Select>
    </ActForm>
  )
}

function HandOver({ organization, member, name, isBusy, run }: MemberActsProps) {
  const say = useOrganizationSay()
  const params = { org: organization.organizationId }
  const body = { userId: member.userId }
  return (
    <ConfirmButton
      isBusy={isBusy}
      question={say('Make {name} the owner of {organization}? You become an admin.', {
        name,
        organization: organization.name,
      })}
      confirm={say('Yes, hand it over')}
      onConfirm={() =>
        void run(
          () => organizationApi.handOverOrganization.call({ params, body }),
          say('{name} is the owner now.', { name }),
        )
      }
    >
      {say('Make the owner')}
    </ConfirmButton>
  )
}

function Remove({ organization, member, name, isBusy, run }: MemberActsProps) {
  const say = useOrganizationSay()
  const params = { org: organization.organizationId, userId: member.userId }
  return (
    <ConfirmButton
      look="danger"
      isBusy={isBusy}
      question={say('Remove {name}? They lose access at once.', { name })}
      confirm={say('Yes, remove')}
      onConfirm={() =>
        void run(
          () => organizationApi.removeOrganizationMember.call({ params }),
          say('{name} is no longer a member.', { name }),
        )
      }
    >
      {say('Remove')}
    </ConfirmButton>
  )
}
