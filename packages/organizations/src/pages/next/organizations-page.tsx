import { StepUp } from '@svc/web/account'
import { requireSession } from '@svc/web/next'
import type { ReactNode } from 'react'
import { PartView } from '../acts/part-view.tsx'
import { OrganizationsView } from '../list/organizations-view.tsx'
import type { OrganizationPageProps } from './organization-page.tsx'
import { joinableOrganizations, ownOrganizations } from './server-organizations.ts'

/** The organizations of the user, those that they may join, and a form for a new one. */
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
  const [organizations, joinable] = await Promise.all([ownOrganizations(), joinableOrganizations()])
  return <OrganizationsView {...{ organizations, joinable }} />
}
