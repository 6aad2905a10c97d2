import { createAuthApi } from '@svc/auth'
import type { AnswerOf } from '@svc/core/client'
import { organizationClient } from '../client.ts'

/** As pages call it: through the web app's proxy, which signs for the user. */
export const organizationApi = createAuthApi({
  proxy: '/api/rpc',
  clients: [organizationClient],
})

type Answer<Name extends keyof typeof organizationApi> = AnswerOf<(typeof organizationApi)[Name]>

/** An organization of the user, and what they may do in it. */
export interface OwnOrganization extends Answer<'getOrganization'> {
  /** It is the user's own, and has no other members. */
  readonly isPersonal?: true
}
export type ListedOrganization = Answer<'listOrganizations'>['organizations'][number]
export type JoinableOrganization = Answer<'listJoinableOrganizations'>['organizations'][number]
export type Member = Answer<'listOrganizationMembers'>['items'][number]
export type InvitationOffer = Answer<'getOrganizationInvitation'>
export type Invitation = Answer<'listOrganizationInvitations'>['invitations'][number]
export type Domain = Answer<'listOrganizationDomains'>['domains'][number]
export type RolesOfOrganization = Answer<'listOrganizationRoles'>
export type Role = RolesOfOrganization['roles'][number]
export type Team = Answer<'listTeams'>['teams'][number]
export type OrganizationPolicies = Answer<'getOrganizationPolicies'>
export type ServiceAccount = Answer<'listServiceAccounts'>['serviceAccounts'][number]
export type ServiceKey = Answer<'listServiceKeys'>['keys'][number]
export type TrailEntry = Answer<'listOrganizationAudit'>['items'][number]
export type TeamMember = Answer<'listTeamMembers'>['items'][number]
