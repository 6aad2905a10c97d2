import { organizationsPart } from '@svc/organizations/console/next'

/** What the console has beside its own pages. */
export const parts = [organizationsPart]
