import { ValidationError } from '@svc/core/client'
import { redirect } from 'next/navigation.js'
import type { OwnOrganization } from '../organization-api.ts'
import { TrailView } from '../trail/trail-view.tsx'
import { orNotFound, serverOrganizationApi } from './server-organizations.ts'

interface TrailPageProps {
  organization: OwnOrganization
  query: Readonly<Record<string, string>>
  address: string
}

/** What was done in an organization. */
export async function TrailPage({ organization, query, address }: TrailPageProps) {
  const { act, actor, after } = query
  const filter = { ...(act && { act }), ...(actor && { actor }) }
  const page = await serverOrganizationApi()
    .listOrganizationAudit.call({
      params: { org: organization.organizationId },
      query: { ...filter, ...(after && { after }) },
    })
    .catch((error: unknown) => {
      // A person has written this query, or another one has written this place.
      if (error instanceof ValidationError && Object.keys(query).length > 0) redirect(address)
      return orNotFound(error)
    })
  return (
    <TrailView
      {...{ organization, filter }}
      entries={page.items}
      next={page.next ?? null}
      isFirst={after === undefined}
      renderedAt={Date.now()}
    />
  )
}
