import { defineContract } from '@svc/auth/contract'
import { OrganizationInvitation, ofInvitations } from './invitations/contract.ts'
import { OrganizationMember, ofMembers } from './members/contract.ts'
import { limits, organization } from './membership/contract.ts'
import * as errors from './membership/errors.ts'
import {
  ListedOrganization,
  Organization,
  OwnOrganization,
  ofOrganizations,
} from './organizations/contract.ts'
import { OrganizationRole, ofRoles } from './roles/contract.ts'
import { OrganizationServiceAccount, ofServiceAccounts } from './service-accounts/contract.ts'
import { ofTeams, Team, TeamMember } from './teams/contract.ts'

export {
  ListedOrganization,
  Organization,
  OrganizationInvitation,
  OrganizationMember,
  OrganizationRole,
  OrganizationServiceAccount,
  OwnOrganization,
  organization,
  Team,
  TeamMember,
}

/** Organizations with members, roles and invitations. */
export const organizations = defineContract('organizations', {
  tenant: organization,
  operations: {
    ...ofOrganizations,
    ...ofMembers,
    ...ofRoles,
    ...ofInvitations,
    ...ofTeams,
    ...ofServiceAccounts,
  },
  errors: Object.values(errors),
  limits,
  types: {
    Organization,
    OwnOrganization,
    OrganizationMember,
    OrganizationRole,
    OrganizationInvitation,
    OrganizationTeam: Team,
    OrganizationTeamMember: TeamMember,
    OrganizationServiceAccount,
  },
  browser: { createServiceKey: 'takes a foreign key' },
})
