import type { Handlers } from '@svc/auth/server'
import {
  byCaller,
  type OrganizationHeld,
  type OrganizationStanding,
} from '../membership/membership.ts'
import type { ofPolicies } from './contract.ts'
import { getPolicies, updatePolicies } from './policies.ts'

export const policyHandlers: Handlers<typeof ofPolicies, OrganizationHeld> = {
  getOrganizationPolicies: ({ standing }) => getPolicies(standing as OrganizationStanding),
  updateOrganizationPolicies({ auth, standing, caller, body, origin }) {
    const asked = { standing: standing as OrganizationStanding, by: byCaller(caller, origin) }
    return updatePolicies(auth, body, asked)
  },
}
