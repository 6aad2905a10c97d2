export { organizationsPart } from './organizations-part.tsx'
