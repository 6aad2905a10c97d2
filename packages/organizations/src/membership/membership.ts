export * from './change.ts'
export { type OrganizationAct, type OrganizationHeld, organizationActs } from './held.ts'
export * from './permissions.ts'
export * from './policies.ts'
export { isUuid, type OrganizationStanding, standingReader, type TeamStanding } from './standing.ts'
export * as store from './store.ts'
export {
  countMembers,
  findMember,
  findOpenMember,
  findOrganization,
  findProgram,
  insertMember,
  lockOrganization,
  membersAmong,
  rolesOf,
  type StoredRole,
} from './store.ts'
