import type { AuthSession } from '@svc/auth'
import type { OrganizationPart } from '../acts/organization-tabs.tsx'
import type { OwnOrganization } from '../organization-api.ts'

/** What a part asks for. Others than members who have it see what strangers see. */
const needed: { readonly [part in OrganizationPart]?: string } = {
  invitations: 'member:invite',
  domains: 'domain:manage',
  machines: 'machine:manage',
  audit: 'audit:read',
}

const parts = [
  'members',
  'teams',
  'invitations',
  'domains',
  'roles',
  'machines',
  'audit',
  'settings',
] as const satisfies readonly OrganizationPart[]
/** Where there are no other members. */
const personal: readonly OrganizationPart[] = ['machines', 'audit', 'settings']
/** The API refuses it in a support session. */
const ofOwners: readonly OrganizationPart[] = ['audit']

/** The parts of an organization that the visitor may see, and that make sense. */
export function partsOf(
  { isPersonal, permissions }: Pick<OwnOrganization, 'isPersonal' | 'permissions'>,
  { actor }: Pick<AuthSession, 'actor'>,
): OrganizationPart[] {
  return parts.filter((part) => {
    const permission = needed[part]
    if (isPersonal && !personal.includes(part)) return false
    if (actor !== undefined && ofOwners.includes(part)) return false
    return permission === undefined || permissions.includes(permission)
  })
}
