import type { Handlers } from '@svc/auth/server'
import type { OrganizationHeld } from '../membership/membership.ts'
import type { ofTrail } from './contract.ts'
import { listTrail } from './trail.ts'

export const trailHandlers: Handlers<typeof ofTrail, OrganizationHeld> = {
  listOrganizationAudit: ({ auth, standing, query }) => listTrail(auth, standing, query),
}
