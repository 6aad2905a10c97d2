export type { OrganizationTab } from './acts/organization-tabs.tsx'
export { DomainsView } from './domains/domains-view.tsx'
export { AcceptOrganizationInvitationView } from './invitations/accept-invitation.tsx'
export { InvitationsView } from './invitations/invitations-view.tsx'
export { OrganizationsView } from './list/organizations-view.tsx'
export { OrganizationMachinesView } from './machines/machines-view.tsx'
export { MembersView } from './members/members-view.tsx'
export { organizationApi } from './organization-api.ts'
export {
  OrganizationProvider,
  type OrganizationProviderProps,
} from './provider/organization-provider.tsx'
export { RolesView } from './roles/roles-view.tsx'
export { SettingsView } from './settings/settings-view.tsx'
export { TeamView } from './teams/team-view.tsx'
export { TeamsView } from './teams/teams-view.tsx'
export { TrailView } from './trail/trail-view.tsx'
export {
  missingWords,
  type OrganizationWords,
  organizationWords,
} from './words/organization-words.ts'
