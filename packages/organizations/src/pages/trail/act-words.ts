import type { SeenDetail } from '../../trail/trail.ts'
import type { OrganizationSentence } from '../words/organization-words.ts'

/** What the acts of this package are called. A test holds it to them. */
export const actWords = {
  'organization.created': 'Organization created',
  'organization.imported': 'Organization imported',
  'organization.updated': 'Name or address changed',
  'organization.policies_updated': 'Policies changed',
  'organization.closed': 'Organization closed',
  'organization.reopened': 'Organization opened again',
  'organization.owner_added': 'Owner added',
  'organization.handed_over': 'Organization handed over',
  'organization.member_added': 'Member added',
  'organization.member_roles_changed': 'Roles of a member changed',
  'organization.member_removed': 'Member left or removed',
  'organization.role_created': 'Role created',
  'organization.role_updated': 'Role changed',
  'organization.role_deleted': 'Role deleted',
  'organization.team_created': 'Team created',
  'organization.team_updated': 'Team changed',
  'organization.team_deleted': 'Team deleted',
  'organization.team_member_added': 'Member added to a team',
  'organization.team_member_roles_changed': 'Roles in a team changed',
  'organization.team_member_removed': 'Member left a team or was removed from it',
  'organization.invited': 'Invitation sent',
  'organization.invitation_cancelled': 'Invitation cancelled',
  'organization.domain_added': 'Domain added',
  'organization.domain_verified': 'Domain proved',
  'organization.domain_removed': 'Domain removed',
  'organization.domain_ended': 'Proof of a domain ended',
  'organization.service_account_created': 'Service account created',
  'organization.service_account_updated': 'Service account changed',
  'organization.service_account_deleted': 'Service account deleted',
  'organization.service_key_created': 'Machine key added',
  'organization.service_key_revoked': 'Machine key revoked',
  'organization.agent_connected': 'Agent connected',
} as const satisfies Readonly<Record<string, OrganizationSentence>>

/** What is in the details of these acts. */
export const detailWords = {
  after: 'After',
  before: 'Before',
  changed: 'Changed',
  clientId: 'Client id',
  clientName: 'Client',
  domain: 'Domain',
  invitedBy: 'Invited by',
  keyId: 'Key',
  name: 'Name',
  permissions: 'Permissions',
  role: 'Role',
  roles: 'Roles',
  source: 'Source',
  teamId: 'Team',
} as const satisfies Readonly<Record<SeenDetail, OrganizationSentence>>

/** Null for what an application has named. */
export function wordsIn<Words extends object>(words: Words, name: string) {
  return Object.hasOwn(words, name) ? words[name as keyof Words] : null
}
