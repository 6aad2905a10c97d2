// Accounts refer to their role, so its tables are declared below them. The rows are this folder's.
export { accountRoles, permissions, roleDeclarations, roles } from '../accounts/schema.ts'
