import type { OperationsOf } from '@svc/auth/contract'
import type { Api } from '@svc/core/client'
import { createServerApi, partFailure } from '@svc/web/next'
import { notFound } from 'next/navigation.js'
import { cache } from 'react'
import { organizationClient } from '../../client.ts'
import type { organizations } from '../../contract.ts'
import { OrganizationNotFoundError, TeamNotFoundError } from '../../membership/errors.ts'
import type {
  JoinableOrganization,
  ListedOrganization,
  OwnOrganization,
} from '../organization-api.ts'

const { routeMap, errors } = organizationClient

/** The operations of organizations, as the visitor of a page. */
export const serverOrganizationApi: () => Api<OperationsOf<typeof organizations>> = createServerApi<
  OperationsOf<typeof organizations>
>({ routeMap, errors, timeoutMillis: 3000 })

/** The organizations of the visitor, asked for once for each page. */
export const ownOrganizations = cache(async (): Promise<ListedOrganization[]> => {
  const { organizations: own } = await serverOrganizationApi().listOrganizations.call()
  return own
})

/** Those of them that are not closed: what a menu of yours lists. */
export async function openOrganizations(): Promise<ListedOrganization[]> {
  return (await ownOrganizations()).filter(({ purgeAt }) => purgeAt === undefined)
}

/** Those that the visitor may join. None without an answer of the API, because the page is about their own. */
export async function joinableOrganizations(): Promise<JoinableOrganization[]> {
  try {
    return (await serverOrganizationApi().listJoinableOrganizations.call()).organizations
  } catch (error) {
    partFailure('organizations to join', error)
    return []
  }
}

/**
 * The organization in the address of a page, by its slug or its id, and what the visitor may do in it. Null if they are
 * no member, or if it is closed.
 */
export const findOrganization = cache(async (address: string): Promise<OwnOrganization | null> => {
  const open = await openOrganizations()
  const found =
    open.find(({ organizationId }) => organizationId === address) ??
    open.find(({ slug }) => slug === address)
  if (!found) return null
  const params = { org: found.organizationId }
  try {
    const own = await serverOrganizationApi().getOrganization.call({ params })
    return { ...own, ...(found.isPersonal && { isPersonal: true }) }
  } catch (error) {
    if (error instanceof OrganizationNotFoundError) return null
    throw error
  }
})

/** The ways to sign in that an organization allows, for a member who has signed in by another. */
export async function waysInto({ organizationId, unmet }: OwnOrganization) {
  if (!unmet.includes('way-in')) return []
  const params = { org: organizationId }
  const { waysIn = [] } = await serverOrganizationApi().getOrganizationPolicies.call({ params })
  return waysIn
}

/** For a call of a page: a user who was removed meanwhile sees what a stranger sees. */
export function orNotFound(error: unknown): never {
  if (error instanceof OrganizationNotFoundError || error instanceof TeamNotFoundError) notFound()
  throw error
}
