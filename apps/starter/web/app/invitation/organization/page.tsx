import {
  AcceptOrganizationInvitationPage,
  type AcceptOrganizationInvitationPageProps,
} from '@svc/organizations/web/next'
import type { Metadata } from 'next'
import { OrganizationLanguages } from '../../../words/organization-languages.tsx'

export const metadata: Metadata = { title: 'Invitation' }

export default function Page(given: AcceptOrganizationInvitationPageProps) {
  return (
    <OrganizationLanguages>
      <AcceptOrganizationInvitationPage {...given} />
    </OrganizationLanguages>
  )
}
