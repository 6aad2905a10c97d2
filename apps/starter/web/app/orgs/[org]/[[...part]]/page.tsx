import type { Metadata } from 'next'

export { OrganizationPage as default } from '@svc/organizations/web/next'
export const metadata: Metadata = { title: 'Organization' }
