export { type ApiInOrganization, apiIn } from './api-in.ts'
export { organizationClient } from './client.ts'
export * from './errors.ts'
export { memberChanged, organizationChanged } from './events.ts'
