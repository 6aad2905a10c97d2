import { StepUp } from '@svc/web/account'
import { requireSession } from '@svc/web/next'
import type { ReactNode } from 'react'
import { PartView } from '../acts/part-view.tsx'
import { OrganizationsView } from '../list/organizations-view.tsx'
import type { OrganizationPageProps } from './organization-page.tsx'
import { ownOrganizations } from './server-organizations.ts'

/** The organizations of the user, and a form for a new one. */
export async function OrganizationsPage({
  path = '/orgs',
  loginPath,
}: Pick<OrganizationPageProps, 'path' | 'loginPath'>): Promise<ReactNode> {
  await requireSession({ returnTo: path, ...(loginPath !== undefined && { loginPath }) })
  return (
    <StepUp>
      <PartView part="organizations">
        <Listed />
      </PartView>
    </StepUp>
  )
}

async function Listed() {
  return <OrganizationsView organizations={await ownOrganizations()} />
}
