import { accessTokenAuth, allow, getCallerFacts, getKeyKind, standingIn } from '@svc/auth/server'
import { currentDb, type HandlerContext, type RawContext } from '@svc/core'
import { organization } from './contract.ts'
import {
  findOpenMember,
  isUuid,
  type OrganizationStanding,
  unmetBy,
} from './membership/membership.ts'

/**
 * A caller who is a member of the organization in the path, with all of these permissions in it:
 * `inOrg('invoice:write')(route.post('/orgs/:org/invoices')…)`.
 */
export const inOrg = (...permissions: readonly [string, ...string[]]) =>
  allow.in(organization, ...permissions)

/** Every member of the organization in the path: `member()(route.get('/orgs/:org/board')…)`. */
export const member = () => allow.in(organization)

/** The same as `inOrg`, with a fresh proof: for what gives power in the organization. */
export const freshInOrg = (...permissions: readonly [string, ...string[]]) =>
  allow.freshIn(organization, ...permissions)

/**
 * An agent of the organization in the path, with an access token for this resource, whose scopes and roles have all of
 * these permissions: `agentInOrg('/mcp', 'invoice:read')(route.get('/orgs/:org/mcp/invoices')…)`.
 */
export const agentInOrg = (resource: string, ...permissions: readonly string[]) =>
  allow.inBy(organization, accessTokenAuth(resource), ...permissions)

/** The organization of a request, and what the caller may do in it. It refuses a caller who is no member. */
export function getOrganization(c: RawContext | HandlerContext): OrganizationStanding {
  // The capability of this package is the only one that reads a standing in an organization.
  return standingIn(organization, c) as OrganizationStanding
}

/**
 * Whether a user is a member now: for the rule of a channel, and for a job. The rule of a channel also gives the key of
 * the stream. If it is a member's machine, nothing in the organization was chosen for it. A service account counts as a
 * member here. A member who doesn't meet the organization's policies does not: without a key, those of the account count.
 */
export async function isMember(
  userId: string,
  organizationId: string,
  credential?: string,
): Promise<boolean> {
  const db = currentDb()
  if (!db) throw new Error('isMember: call it in a request, a job or the rule of a channel.')
  if (!isUuid(organizationId)) return false
  const found = await findOpenMember(db, { userId, organizationId })
  if (!found) return false
  const { program, policies, joinedAt } = found
  if (program !== null || !joinedAt) return true
  const isMachine = credential !== undefined && (await getKeyKind(credential)) === 'machine'
  if (isMachine) return false
  if (!policies) return true
  const facts = await getCallerFacts(userId, credential)
  return facts !== null && unmetBy(policies, facts, joinedAt).length === 0
}
