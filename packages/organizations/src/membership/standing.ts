import type { Standing, StandingReader } from '@svc/auth/server'
import { organizationSettings } from '../fence/fence.ts'
import { grantedTo, type Permissions } from './permissions.ts'

/** A member of an organization, as the request's own statement has read it. */
export interface OrganizationStanding extends Standing {
  /** The id of the organization. */
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly createdAt: string
}

interface Stored {
  id: string
  name: string
  slug: string
  createdAt: string
  roles: string[]
  granted: string[]
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

// A closed organization has no members: what they have open ends, and nothing more begins.
const select = `(select json_build_object(
    'id', o.organization_id, 'name', o.name, 'slug', o.slug, 'createdAt', o.created_at, 'roles', m.roles,
    'granted', (select coalesce(json_agg(p), '[]') from organizations.roles g, unnest(g.permissions) p
      where g.organization_id = o.organization_id and g.name = any (m.roles)))
  from organizations.members m
  join organizations.organizations o on o.organization_id = m.organization_id
  where m.organization_id = asked.tenant::uuid and m.user_id = u.user_id and o.state = 'open')`

/** Reads a member together with the key that signed the request. */
export const standingReader = (permissions: Permissions): StandingReader<Stored> => ({
  select,
  isId: (text) => uuid.test(text),
  read: ({ granted, createdAt, ...stored }): OrganizationStanding => ({
    ...stored,
    createdAt: new Date(createdAt).toISOString(),
    permissions: grantedTo(permissions, stored.roles, granted),
    settings: organizationSettings(stored.id),
    auditDetails: { organizationId: stored.id },
  }),
})
