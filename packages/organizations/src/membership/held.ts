import type { Held } from '@svc/auth/server'
import type { limits } from './contract.ts'
import type { Permissions } from './permissions.ts'

/** Looks up TXT records, as a `Resolver` of `node:dns/promises` does. */
export interface TxtResolver {
  resolveTxt(name: string): Promise<readonly (readonly string[])[]>
}

export const organizationActs = [
  'organization.created',
  'organization.imported',
  'organization.updated',
  'organization.policies_updated',
  'organization.closed',
  'organization.reopened',
  'organization.owner_added',
  'organization.handed_over',
  'organization.member_added',
  'organization.member_roles_changed',
  'organization.member_removed',
  'organization.role_created',
  'organization.role_updated',
  'organization.role_deleted',
  'organization.team_created',
  'organization.team_updated',
  'organization.team_deleted',
  'organization.team_member_added',
  'organization.team_member_roles_changed',
  'organization.team_member_removed',
  'organization.invited',
  'organization.invitation_cancelled',
  'organization.domain_added',
  'organization.domain_verified',
  'organization.domain_removed',
  'organization.domain_ended',
  'organization.service_account_created',
  'organization.service_account_updated',
  'organization.service_account_deleted',
  'organization.service_key_created',
  'organization.service_key_revoked',
  'organization.agent_connected',
] as const

export type OrganizationAct = (typeof organizationActs)[number]

/** What `open` returns. */
interface OrganizationOwn {
  readonly permissions: Permissions
  readonly maxMembers: number
  readonly maxOwned: number
  readonly windowDays: number
  readonly invitationPage: `/${string}`
  readonly organizationsPage: `/${string}`
  readonly trailActs: readonly string[]
  /** Each user has an organization of their own. */
  readonly personal: boolean
  /** In place of the resolver of this machine. */
  readonly dnsResolver: TxtResolver | undefined
  /** Where everyone can get an address. */
  readonly publicMailDomains: ReadonlySet<string>
  /** Stops the ending of streams. */
  readonly unsubscribe: () => void
}

/** The parts that the functions of this package get. */
export type OrganizationHeld = Held<
  keyof typeof limits,
  object,
  OrganizationOwn,
  OrganizationAct,
  never
>
