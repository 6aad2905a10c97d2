import { clientOf } from '@svc/auth'
import type { organizations } from './contract.ts'
import * as errors from './membership/errors.ts'
import { routeMap } from './route-map.ts'

/** The client's half. It has the contract by type alone, so that no schema gets into browsers. */
export const organizationClient = clientOf<typeof organizations>({
  routeMap,
  errors: Object.values(errors),
})
