import { ValidationError } from '@svc/core/client'
import type { ConsolePartProps } from '@svc/web/console/next'
import { getSession } from '@svc/web/next'
import { notFound, redirect } from 'next/navigation.js'
import { OrganizationNotFoundError } from '../../membership/errors.ts'
import { isUuid } from '../../uuid.ts'
import { serverConsoleApi } from '../server-console-api.ts'
import { OrganizationView } from './organization-view.tsx'

interface Props extends Omit<ConsolePartProps, 'rest'> {
  organizationId: string
}

/** One organization: its state, its members, and what the operator may do. */
export async function OrganizationPage({ organizationId, path, searchParams }: Props) {
  if (!isUuid(organizationId)) notFound()
  const { after } = await searchParams
  const query = typeof after === 'string' ? { after } : {}
  const api = serverConsoleApi()
  const params = { organizationId }
  const [session, organization, owners, members] = await Promise.all([
    getSession(),
    api.readAnyOrganization.call({ params }).catch(orNotFound),
    api.listAnyOrganizationMembers.call({ params, query: { role: 'owner' } }).catch(orNotFound),
    api.listAnyOrganizationMembers.call({ params, query }).catch((error: unknown) => {
      // Another order has written this place, or a person.
      if (error instanceof ValidationError && 'after' in query)
        redirect(`${path}/${organizationId}`)
      return orNotFound(error)
    }),
  ])
  const may = (permission: string) => session?.permissions.includes(permission) ?? false
  return (
    <OrganizationView
      {...{ organization, owners: owners.items, members: members.items, next: members.next }}
      list={path}
      isFirst={!('after' in query)}
      may={{ manage: may('organization:manage'), readTrail: may('audit:read') }}
      userId={session?.userId ?? ''}
      renderedAt={Date.now()}
    />
  )
}

function orNotFound(error: unknown): never {
  if (error instanceof OrganizationNotFoundError) notFound()
  throw error
}
