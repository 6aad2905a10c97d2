export { agentInOrg, freshInOrg, getOrganization, inOrg, isMember, member } from './allow.ts'
export { type OrganizationOptions, organizations } from './capability.ts'
export {
  type AcrossDoor,
  acrossOrganizations,
  inOrganization,
  tenantKey,
  tenantTable,
  tenantTablesIn,
} from './fence/fence.ts'
export type {
  BuiltInGrants,
  BuiltInRole,
  OrganizationPermission,
  OrganizationStanding,
  TeamStanding,
  TxtResolver,
} from './membership/membership.ts'
export { freshOnTeam, getTeam, isTeamMember, onTeam } from './on-team.ts'
export { personalOrganization } from './personal/personal.ts'

declare module '@svc/auth/server' {
  interface TenantParams {
    org: 'organization'
  }
}
