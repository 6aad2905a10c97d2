export {
  AcceptOrganizationInvitationPage,
  type AcceptOrganizationInvitationPageProps,
} from './next/accept-invitation-page.tsx'
export { OrganizationLayout, type OrganizationLayoutProps } from './next/organization-layout.tsx'
export { OrganizationPage, type OrganizationPageProps } from './next/organization-page.tsx'
export {
  OrganizationSwitcher,
  type OrganizationSwitcherProps,
} from './next/organization-switcher.tsx'
export { OrganizationsPage } from './next/organizations-page.tsx'
export { findOrganization, openOrganizations } from './next/server-organizations.ts'
