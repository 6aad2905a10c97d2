import { createAuthApi } from '@svc/auth'
import type { AnswerOf } from '@svc/core/client'
import { organizationClient } from '../client.ts'

/** As pages call it: through the web app's proxy, which signs for the operator. */
export const consoleApi = createAuthApi({ proxy: '/api/rpc', clients: [organizationClient] })

type Answer<Name extends keyof typeof consoleApi> = AnswerOf<(typeof consoleApi)[Name]>

export type Listed = Answer<'searchOrganizations'>['items'][number]
export type Details = Answer<'readAnyOrganization'>
export type Member = Answer<'listAnyOrganizationMembers'>['items'][number]
