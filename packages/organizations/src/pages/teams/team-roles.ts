import type { OwnOrganization, Role, Team } from '../organization-api.ts'
import { areWithin, isWithin } from '../roles/role-words.ts'

/** The roles that a member may give to a team, or inside one. Only a member can be an owner. */
export function teamRoles(organization: OwnOrganization, roles: readonly Role[]) {
  return roles.filter((role) => role.name !== 'owner' && isWithin(organization, role))
}

/** Whether a member may change a team and who is in it. */
export function mayManageTeam(organization: OwnOrganization, team: Team, roles: readonly Role[]) {
  return (
    organization.permissions.includes('team:manage') && areWithin(organization, team.roles, roles)
  )
}
