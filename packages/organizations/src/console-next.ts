export { organizationsPart } from './console/next.ts'
