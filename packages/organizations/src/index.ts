export { type ApiInOrganization, apiIn } from './api-in.ts'
export { organizationClient } from './client.ts'
export * from './membership/errors.ts'
export { memberChanged, organizationChanged } from './membership/events.ts'
