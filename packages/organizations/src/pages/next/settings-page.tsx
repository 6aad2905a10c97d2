import { type AuthContract, authRouteMap } from '@svc/auth'
import { createServerApi, partFailure } from '@svc/web/next'
import type { OwnOrganization } from '../organization-api.ts'
import { SettingsView } from '../settings/settings-view.tsx'
import { orNotFound, serverOrganizationApi } from './server-organizations.ts'

interface SettingsPageProps {
  organization: OwnOrganization
}

/** The settings of an organization, with its policies for members who may change them. */
export async function SettingsPage({ organization }: SettingsPageProps) {
  const mayChange = !organization.isPersonal && organization.permissions.includes('policy:update')
  const policies = mayChange ? await readPolicies(organization) : null
  return <SettingsView {...{ organization, policies }} />
}

const mostMembers = 100

async function readPolicies({ organizationId: org }: OwnOrganization) {
  const api = serverOrganizationApi()
  const [policies, { items, next }, providers] = await Promise.all([
    api.getOrganizationPolicies.call({ params: { org } }).catch(orNotFound),
    api.listOrganizationMembers
      .call({ params: { org }, query: { limit: mostMembers } })
      .catch(orNotFound),
    readProviders(),
  ])
  return {
    policies,
    ways: ['password', 'code', 'passkey', ...providers.ids],
    waysFailure: providers.failure,
    members: items,
    hasMore: next !== undefined,
  }
}

const serverAuthApi = createServerApi<AuthContract>({ routeMap: authRouteMap, timeoutMillis: 3000 })

async function readProviders() {
  try {
    const { providers } = await serverAuthApi().providers.call()
    return { ids: providers.map(({ id }) => id), failure: '' }
  } catch (error) {
    return { ids: [], failure: partFailure('providers', error) }
  }
}
