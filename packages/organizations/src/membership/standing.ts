import type { CallerFacts, Standing, StandingReader } from '@svc/auth/server'
import { organizationSettings } from '../fence/fence.ts'
import { isUuid } from '../uuid.ts'
import type { PolicyNeed } from './errors.ts'
import { grantedTo, type Permissions } from './permissions.ts'
import { factorDue, refusalFor, type StoredPolicies, unmetBy } from './policies.ts'

/** A member of an organization, as the request's own statement has read it. */
export interface OrganizationStanding extends Standing {
  /** The id of the organization. */
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly createdAt: string
  /** The teams of the member. */
  readonly teams: readonly TeamStanding[]
  /** What the organization asks of its members. */
  readonly policies: StoredPolicies | null
  /** What of that the member has to do first. */
  readonly unmet: readonly PolicyNeed[]
  /** From when on a second factor is asked of the member, who has none. */
  readonly secondFactorBy: Date | null
  /** What the policies are compared with. */
  readonly facts: CallerFacts
}

/** A member of a team. */
export interface TeamStanding {
  readonly id: string
  readonly name: string
  /** What the member has for routes of this team alone. */
  readonly roles: readonly string[]
  /** What is permitted in this team: by these roles, and by those in the organization. */
  readonly permissions: readonly string[]
}

interface StoredTeam {
  id: string
  name: string
  /** They count in the whole organization. */
  roles: string[]
  /** The member’s own, for this team. */
  own: string[]
}

interface Stored {
  id: string
  name: string
  slug: string
  createdAt: string
  isProgram: boolean
  joinedAt: string
  policies: StoredPolicies | null
  roles: string[]
  teams: StoredTeam[]
  /** The permissions of the roles that the organization has made: of those held, and maybe of others. */
  granted: Record<string, string[]>
}

const ofMember = 'b.organization_id = m.organization_id and b.user_id = m.user_id'

// A member of a team gets all roles of the organization: to read the roles of the teams a second time costs each
// request more than the names that are then left out.
// A closed organization has no members: what they have open ends, and nothing more begins.
const select = `(select json_build_object(
    'id', o.organization_id, 'name', o.name, 'slug', o.slug, 'createdAt', o.created_at, 'roles', m.roles,
    'isProgram', m.is_program, 'joinedAt', m.joined_at, 'policies', o.policies,
    'teams', (select coalesce(json_agg(json_build_object('id', t.team_id, 'name', t.name, 'roles', t.roles, 'own', b.roles)), '[]')
      from organizations.team_members b
      join organizations.teams t on t.organization_id = b.organization_id and t.team_id = b.team_id
      where ${ofMember}),
    'granted', (select coalesce(json_object_agg(g.name, g.permissions), '{}') from organizations.roles g
      where g.organization_id = o.organization_id
        and (g.name = any (m.roles) or exists (select from organizations.team_members b where ${ofMember}))))
  from (select organization_id, user_id, roles, joined_at, false as is_program from organizations.members
    union all select organization_id, user_id, roles, created_at, true from organizations.service_accounts) m
  join organizations.organizations o on o.organization_id = m.organization_id
  where m.organization_id = asked.tenant::uuid and m.user_id = u.user_id and o.state = 'open')`

/** Reads a member together with the key that signed the request. */
export const standingReader = (permissions: Permissions): StandingReader<Stored> => ({
  select,
  isId: isUuid,
  read({ granted, createdAt, joinedAt, teams, ...stored }, facts): OrganizationStanding {
    const permitted = (roles: readonly string[]) =>
      grantedTo(
        permissions,
        roles,
        roles.flatMap((role) => granted[role] ?? []),
      )
    const everywhere = [...stored.roles, ...teams.flatMap(({ roles }) => roles)]
    return {
      ...stored,
      createdAt: new Date(createdAt).toISOString(),
      permissions: permitted(everywhere),
      teams: teams.map(({ id, name, own }) => ({
        id,
        name,
        roles: own,
        permissions: permitted([...everywhere, ...own]),
      })),
      ...asked(stored, facts, new Date(joinedAt)),
      settings: organizationSettings(stored.id),
      auditDetails: { organizationId: stored.id },
    }
  },
})

/** Nothing is asked of a program: its key says what it may do, and ends by itself. */
function asked(
  { policies, isProgram }: Pick<Stored, 'policies' | 'isProgram'>,
  facts: CallerFacts,
  joinedAt: Date,
) {
  const ofMembers = isProgram ? null : policies
  const unmet = unmetBy(ofMembers, facts, joinedAt)
  const refused = refusalFor(ofMembers, unmet)
  const secondFactorBy = factorDue(ofMembers, facts, joinedAt)
  return { policies, unmet, secondFactorBy, facts, ...(refused && { refused }) }
}
