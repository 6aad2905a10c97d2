export {
  type AcrossDoor,
  acrossOrganizations,
  inOrganization,
  tenantKey,
  tenantTable,
} from './fence/fence.ts'
