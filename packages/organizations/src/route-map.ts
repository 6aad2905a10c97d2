import type { RouteMap } from '@svc/core/contract'

/** Where the operations are. A test compares it with the contract. */
export const routeMap = {
  createOrganization: { method: 'POST', path: '/_auth/organizations' },
  listOrganizations: { method: 'GET', path: '/_auth/organizations' },
  getOrganization: { method: 'GET', path: '/_auth/organizations/:org' },
  updateOrganization: { method: 'PATCH', path: '/_auth/organizations/:org', emptyBody: true },
  closeOrganization: { method: 'POST', path: '/_auth/organizations/:org/close', emptyBody: true },
  reopenOrganization: { method: 'POST', path: '/_auth/organizations/reopen' },
  getOrganizationPolicies: { method: 'GET', path: '/_auth/organizations/:org/policies' },
  updateOrganizationPolicies: {
    method: 'PATCH',
    path: '/_auth/organizations/:org/policies',
    emptyBody: true,
  },
  listOrganizationMembers: { method: 'GET', path: '/_auth/organizations/:org/members' },
  setMemberRoles: { method: 'PUT', path: '/_auth/organizations/:org/members/:userId/roles' },
  removeOrganizationMember: { method: 'DELETE', path: '/_auth/organizations/:org/members/:userId' },
  leaveOrganization: { method: 'POST', path: '/_auth/organizations/:org/leave' },
  handOverOrganization: { method: 'POST', path: '/_auth/organizations/:org/owner' },
  listOrganizationRoles: { method: 'GET', path: '/_auth/organizations/:org/roles' },
  createOrganizationRole: { method: 'POST', path: '/_auth/organizations/:org/roles' },
  updateOrganizationRole: {
    method: 'PATCH',
    path: '/_auth/organizations/:org/roles/:role',
    emptyBody: true,
  },
  deleteOrganizationRole: { method: 'DELETE', path: '/_auth/organizations/:org/roles/:role' },
  inviteToOrganization: { method: 'POST', path: '/_auth/organizations/:org/invitations' },
  listOrganizationInvitations: { method: 'GET', path: '/_auth/organizations/:org/invitations' },
  cancelOrganizationInvitation: {
    method: 'DELETE',
    path: '/_auth/organizations/:org/invitations/:invitationId',
  },
  getOrganizationInvitation: { method: 'POST', path: '/_auth/organizations/invitations/lookup' },
  acceptOrganizationInvitation: { method: 'POST', path: '/_auth/organizations/invitations/accept' },
  addOrganizationDomain: { method: 'POST', path: '/_auth/organizations/:org/domains' },
  listOrganizationDomains: { method: 'GET', path: '/_auth/organizations/:org/domains' },
  verifyOrganizationDomain: {
    method: 'POST',
    path: '/_auth/organizations/:org/domains/:domain/verify',
  },
  removeOrganizationDomain: { method: 'DELETE', path: '/_auth/organizations/:org/domains/:domain' },
  listJoinableOrganizations: { method: 'GET', path: '/_auth/organizations/joinable' },
  joinOrganization: { method: 'POST', path: '/_auth/organizations/join' },
  createTeam: { method: 'POST', path: '/_auth/organizations/:org/teams' },
  listTeams: { method: 'GET', path: '/_auth/organizations/:org/teams' },
  updateTeam: { method: 'PATCH', path: '/_auth/organizations/:org/teams/:teamId', emptyBody: true },
  deleteTeam: { method: 'DELETE', path: '/_auth/organizations/:org/teams/:teamId' },
  listTeamMembers: { method: 'GET', path: '/_auth/organizations/:org/teams/:teamId/members' },
  addTeamMember: { method: 'POST', path: '/_auth/organizations/:org/teams/:teamId/members' },
  setTeamMemberRoles: {
    method: 'PUT',
    path: '/_auth/organizations/:org/teams/:teamId/members/:userId/roles',
  },
  removeTeamMember: {
    method: 'DELETE',
    path: '/_auth/organizations/:org/teams/:teamId/members/:userId',
  },
  leaveTeam: { method: 'POST', path: '/_auth/organizations/:org/teams/:teamId/leave' },
  createServiceAccount: { method: 'POST', path: '/_auth/organizations/:org/service-accounts' },
  listServiceAccounts: { method: 'GET', path: '/_auth/organizations/:org/service-accounts' },
  updateServiceAccount: {
    method: 'PATCH',
    path: '/_auth/organizations/:org/service-accounts/:userId',
    emptyBody: true,
  },
  deleteServiceAccount: {
    method: 'DELETE',
    path: '/_auth/organizations/:org/service-accounts/:userId',
  },
  createServiceKey: {
    method: 'POST',
    path: '/_auth/organizations/:org/service-accounts/:userId/keys',
  },
  listServiceKeys: {
    method: 'GET',
    path: '/_auth/organizations/:org/service-accounts/:userId/keys',
  },
  revokeServiceKey: {
    method: 'DELETE',
    path: '/_auth/organizations/:org/service-accounts/:userId/keys/:keyId',
  },
  listOrganizationAudit: { method: 'GET', path: '/_auth/organizations/:org/audit' },
  searchOrganizations: { method: 'GET', path: '/_auth/organizations/admin' },
  readAnyOrganization: { method: 'GET', path: '/_auth/organizations/admin/:organizationId' },
  listAnyOrganizationMembers: {
    method: 'GET',
    path: '/_auth/organizations/admin/:organizationId/members',
  },
  closeAnyOrganization: {
    method: 'POST',
    path: '/_auth/organizations/admin/:organizationId/close',
  },
  reopenAnyOrganization: {
    method: 'POST',
    path: '/_auth/organizations/admin/:organizationId/reopen',
  },
  addAnyOrganizationOwner: {
    method: 'POST',
    path: '/_auth/organizations/admin/:organizationId/owners',
  },
  clearAnyOrganizationPolicies: {
    method: 'POST',
    path: '/_auth/organizations/admin/:organizationId/policies/clear',
  },
} as const satisfies RouteMap
