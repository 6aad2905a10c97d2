import { defineContract } from '@svc/auth/contract'
import { JoinableOrganization, OrganizationDomain, ofDomains } from './domains/contract.ts'
import { OrganizationInvitation, ofInvitations } from './invitations/contract.ts'
import { OrganizationMember, ofMembers } from './members/contract.ts'
import { limits, organization } from './membership/contract.ts'
import * as errors from './membership/errors.ts'
import { AnyOrganization, AnyOrganizationDetails, ofOperators } from './operators/contract.ts'
import {
  ListedOrganization,
  Organization,
  OwnOrganization,
  ofOrganizations,
  ReadOrganization,
} from './organizations/contract.ts'
import { OrganizationPolicies, ofPolicies } from './policies/contract.ts'
import { OrganizationRole, ofRoles } from './roles/contract.ts'
import { OrganizationServiceAccount, ofServiceAccounts } from './service-accounts/contract.ts'
import { ofTeams, Team, TeamMember } from './teams/contract.ts'
import { OrganizationAuditEntry, ofTrail } from './trail/contract.ts'

export {
  AnyOrganization,
  AnyOrganizationDetails,
  JoinableOrganization,
  ListedOrganization,
  Organization,
  OrganizationAuditEntry,
  OrganizationDomain,
  OrganizationInvitation,
  OrganizationMember,
  OrganizationPolicies,
  OrganizationRole,
  OrganizationServiceAccount,
  OwnOrganization,
  organization,
  ReadOrganization,
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
    ...ofDomains,
    ...ofTeams,
    ...ofServiceAccounts,
    ...ofPolicies,
    ...ofTrail,
    ...ofOperators,
  },
  errors: Object.values(errors),
  limits,
  types: {
    Organization,
    OwnOrganization,
    ReadOrganization,
    OrganizationMember,
    OrganizationRole,
    OrganizationInvitation,
    OrganizationDomain,
    JoinableOrganization,
    OrganizationTeam: Team,
    OrganizationTeamMember: TeamMember,
    OrganizationServiceAccount,
    OrganizationPolicies,
    OrganizationAuditEntry,
    AnyOrganization,
    AnyOrganizationDetails,
  },
  browser: { createServiceKey: 'takes a foreign key' },
})
