export { type AcrossDoor, acrossOrganizations, acrossRole } from './across-organizations.ts'
export { inOrganization, organizationSettings } from './in-organization.ts'
export { requireFence } from './require-fence.ts'
export { tenantKey, tenantTable, tenantTablesIn } from './tenant-table.ts'
