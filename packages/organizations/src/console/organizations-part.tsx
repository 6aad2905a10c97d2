import type { ConsolePart } from '@svc/web/console/next'
import { notFound } from 'next/navigation.js'
import { ListPage } from './list/list-page.tsx'
import { OfPerson } from './list/of-person-part.tsx'
import { OrganizationPage } from './organization/organization-page.tsx'
import { ConsoleTitle } from './words/console-title.tsx'

/** The console's part for organizations: `<Console parts={[organizationsPart]} />`. */
export const organizationsPart: ConsolePart = {
  name: 'organizations',
  needs: 'organization:read',
  title: 'Organizations',
  label: <ConsoleTitle />,
  page({ rest: [organizationId, ...more], ...given }) {
    if (more.length > 0) notFound()
    return organizationId === undefined ? (
      <ListPage {...given} />
    ) : (
      <OrganizationPage {...given} organizationId={organizationId} />
    )
  },
  ofPerson: OfPerson,
}
