export { importOrganizations } from './organizations.ts'
export { importUsers } from './users.ts'
