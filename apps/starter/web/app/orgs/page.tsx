import { OrganizationsPage } from '@svc/organizations/web/next'
import type { Metadata } from 'next'
import { OrganizationLanguages } from '../../words/organization-languages.tsx'

export const metadata: Metadata = { title: 'Organizations' }

export default function Page() {
  return (
    <OrganizationLanguages>
      <OrganizationsPage />
    </OrganizationLanguages>
  )
}
