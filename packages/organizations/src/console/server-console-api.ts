import type { OperationsOf } from '@svc/auth/contract'
import type { Api } from '@svc/core/client'
import { createServerApi } from '@svc/web/next'
import { organizationClient } from '../client.ts'
import type { organizations } from '../contract.ts'

const { routeMap, errors } = organizationClient

/** The operations of organizations, as the operator who visits a page. */
export const serverConsoleApi: () => Api<OperationsOf<typeof organizations>> = createServerApi<
  OperationsOf<typeof organizations>
>({ routeMap, errors })
