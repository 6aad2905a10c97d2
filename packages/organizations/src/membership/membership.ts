export { isUuid } from '../uuid.ts'
export * from './change.ts'
export * from './domain-rule.ts'
export {
  type OrganizationAct,
  type OrganizationHeld,
  organizationActs,
  type TxtResolver,
} from './held.ts'
export * from './names.ts'
export * from './permissions.ts'
export * from './policies.ts'
export * from './removals.ts'
export { heldOn, hold } from './running.ts'
export { type OrganizationStanding, standingReader, type TeamStanding } from './standing.ts'
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
  setRoles,
} from './store.ts'
