import { StepUp } from '@svc/web/account'
import { getSession } from '@svc/web/next'
import type { ReactNode } from 'react'
import { type OrganizationTab, OrganizationTabs } from '../acts/organization-tabs.tsx'
import { FactorSoon, WhatIsAsked } from '../settings/what-is-asked.tsx'
import { partsOf } from './parts-of.ts'
import { findOrganization, waysInto } from './server-organizations.ts'

/** The organization in the address, and your own pages about it. */
export interface OrganizationLayoutProps {
  children: ReactNode
  params: Promise<{ org: string }>
  /** Pages of your own, before ours. */
  tabs?: readonly OrganizationTab[]
}

/** Around the pages of one organization: the way to each. Each page guards itself, because only it knows its address. */
export async function OrganizationLayout({ children, params, tabs = [] }: OrganizationLayoutProps) {
  const session = await getSession().catch(() => null)
  const { org } = await params
  const organization = session && (await findOrganization(org).catch(() => null))
  if (!organization) return children
  const { name, slug, unmet, secondFactorBy } = organization
  if (unmet.length > 0) {
    return <WhatIsAsked organization={organization} ways={await waysInto(organization)} />
  }
  return (
    <StepUp>
      {/* Not around the children: a page of yours has a style of its own. */}
      <div className="svc-page">
        <OrganizationTabs {...{ name, slug, tabs }} parts={partsOf(organization, session)} />
        {secondFactorBy !== undefined && <FactorSoon by={secondFactorBy} />}
      </div>
      {children}
    </StepUp>
  )
}
