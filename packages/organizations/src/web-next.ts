export {
  AcceptOrganizationInvitationPage,
  type AcceptOrganizationInvitationPageProps,
  findOrganization,
  OrganizationLayout,
  type OrganizationLayoutProps,
  OrganizationPage,
  type OrganizationPageProps,
  OrganizationSwitcher,
  type OrganizationSwitcherProps,
  OrganizationsPage,
  openOrganizations,
} from './pages/next.ts'
