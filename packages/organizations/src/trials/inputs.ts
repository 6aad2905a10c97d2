import { createHash, generateKeyPairSync } from 'node:crypto'
import type { organizations } from '../contract.ts'
import { ofOperators } from '../operators/contract.ts'
import { routeMap } from '../route-map.ts'
import { routes } from './test-application.ts'

/** The ids that a request may name. In a fuzzed one they are of several organizations. */
export interface Named {
  readonly org: string
  /** The organization of a body. */
  readonly organizationId: string
  readonly userId: string
  readonly role: string
  readonly invitationId: string
  readonly token: string
  readonly customerId: string
  readonly teamId: string
  /** A service account, and a key of it. */
  readonly programId: string
  readonly keyId: string
  readonly domain: string
  /** A place in a list of members. */
  readonly after: string
}

export interface Input {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

type Inputs<Name extends string> = Record<Name, (named: Named) => Input>

const inOrg = ({ org }: Named) => ({ params: { org } })
const ofMember = ({ org, userId }: Named) => ({ org, userId })
const ofProgram = ({ org, programId: userId }: Named) => ({ org, userId })
const ofRole = ({ org, role }: Named) => ({ org, role })
const ofDomain = ({ org, domain }: Named) => ({ org, domain })
const ofTeam = ({ org, teamId }: Named) => ({ org, teamId })
const ofTeamMember = ({ org, teamId, userId }: Named) => ({ org, teamId, userId })
const ofCustomer = ({ org, customerId: id }: Named) => ({ org, id })
/** The key of a program. */
export function registration() {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = publicKey.export({ format: 'der', type: 'spki' })
  return {
    keyId: crypto.randomUUID(),
    algorithm: 'ES256' as const,
    publicKey: der.toString('base64'),
    fingerprint: createHash('sha256').update(der).digest('hex'),
  }
}
const reason = 'A ticket'
const fresh = () => crypto.randomUUID().slice(0, 8)

// A new operation does not compile until it has an input here.
const ofOrganizations: Inputs<keyof (typeof organizations)['operations']> = {
  createOrganization: () => ({ body: { name: 'New' } }),
  listOrganizations: () => ({}),
  getOrganization: inOrg,
  updateOrganization: (named) => ({ ...inOrg(named), body: { name: 'Renamed' } }),
  closeOrganization: (named) => ({ ...inOrg(named), body: {} }),
  reopenOrganization: ({ organizationId }) => ({ body: { organizationId } }),
  listOrganizationMembers: (named) => ({
    ...inOrg(named),
    query: { limit: '2', ...(named.after && { after: named.after }) },
  }),
  setMemberRoles: (named) => ({ params: ofMember(named), body: { roles: [named.role] } }),
  removeOrganizationMember: (named) => ({ params: ofMember(named) }),
  leaveOrganization: inOrg,
  handOverOrganization: (named) => ({ ...inOrg(named), body: { userId: named.userId } }),
  listOrganizationRoles: inOrg,
  createOrganizationRole: (named) => ({
    ...inOrg(named),
    body: { name: `r${fresh()}`, displayName: 'Reader', permissions: ['invoice:read'] },
  }),
  updateOrganizationRole: (named) => ({ params: ofRole(named), body: { displayName: 'Other' } }),
  deleteOrganizationRole: (named) => ({ params: ofRole(named) }),
  inviteToOrganization: (named) => ({
    ...inOrg(named),
    body: { email: `${fresh()}@example.com`, roles: [named.role] },
  }),
  listOrganizationInvitations: inOrg,
  cancelOrganizationInvitation: ({ org, invitationId }) => ({ params: { org, invitationId } }),
  getOrganizationInvitation: ({ token }) => ({ body: { token } }),
  acceptOrganizationInvitation: ({ token }) => ({ body: { token } }),
  addOrganizationDomain: (named) => ({
    ...inOrg(named),
    body: { domain: `${fresh()}.example`, roles: [named.role] },
  }),
  listOrganizationDomains: inOrg,
  verifyOrganizationDomain: (named) => ({ params: ofDomain(named) }),
  removeOrganizationDomain: (named) => ({ params: ofDomain(named) }),
  listJoinableOrganizations: () => ({}),
  joinOrganization: ({ organizationId }) => ({ body: { organizationId } }),
  getOrganizationPolicies: inOrg,
  updateOrganizationPolicies: (named) => ({ ...inOrg(named), body: { maxIdleHours: 2160 } }),
  createTeam: (named) => ({ ...inOrg(named), body: { name: 'New', roles: [named.role] } }),
  listTeams: inOrg,
  updateTeam: (named) => ({ params: ofTeam(named), body: { roles: [named.role] } }),
  deleteTeam: (named) => ({ params: ofTeam(named) }),
  listTeamMembers: (named) => ({
    params: ofTeam(named),
    query: { limit: '2', ...(named.after && { after: named.after }) },
  }),
  addTeamMember: (named) => ({
    params: ofTeam(named),
    body: { userId: named.userId, roles: [named.role] },
  }),
  setTeamMemberRoles: (named) => ({ params: ofTeamMember(named), body: { roles: [named.role] } }),
  removeTeamMember: (named) => ({ params: ofTeamMember(named) }),
  leaveTeam: (named) => ({ params: ofTeam(named) }),
  createServiceAccount: (named) => ({
    ...inOrg(named),
    body: { name: 'Nightly', roles: [named.role] },
  }),
  listServiceAccounts: inOrg,
  updateServiceAccount: (named) => ({
    params: ofProgram(named),
    body: { name: 'Other', roles: [named.role] },
  }),
  deleteServiceAccount: (named) => ({ params: ofProgram(named) }),
  createServiceKey: (named) => ({ params: ofProgram(named), body: registration() }),
  listServiceKeys: (named) => ({ params: ofProgram(named) }),
  revokeServiceKey: (named) => ({ params: { ...ofProgram(named), keyId: named.keyId } }),
  listOrganizationAudit: (named) => ({
    ...inOrg(named),
    query: { limit: '2', actor: named.userId },
  }),
  searchOrganizations: () => ({ query: { limit: '100' } }),
  readAnyOrganization: ({ org: organizationId }) => ({ params: { organizationId } }),
  listAnyOrganizationMembers: ({ org: organizationId }) => ({ params: { organizationId } }),
  closeAnyOrganization: ({ org: organizationId }) => ({
    params: { organizationId },
    body: { reason },
  }),
  reopenAnyOrganization: ({ org: organizationId }) => ({
    params: { organizationId },
    body: { reason },
  }),
  addAnyOrganizationOwner: ({ org: organizationId, userId }) => ({
    params: { organizationId },
    body: { userId, reason },
  }),
  clearAnyOrganizationPolicies: ({ org: organizationId }) => ({
    params: { organizationId },
    body: { reason },
  }),
}

const ofApplication: Inputs<keyof typeof routes> = {
  readBoard: inOrg,
  listCustomers: (named) => ({ ...inOrg(named), query: { after: zero } }),
  readCustomer: (named) => ({ params: ofCustomer(named) }),
  reportBySql: (named) => ({ ...inOrg(named), query: { of: named.organizationId } }),
  addInvoice: (named) => ({
    ...inOrg(named),
    body: { customerId: named.customerId, organizationId: named.organizationId },
  }),
  renameCustomer: (named) => ({ params: ofCustomer(named) }),
  deleteInvoices: (named) => ({ params: ofCustomer(named) }),
  enqueueReading: (named) => ({ ...inOrg(named), body: { run: `${named.org} ${fresh()}` } }),
  agentCustomers: inOrg,
  agentRenames: (named) => ({ params: ofCustomer(named) }),
  agentEnqueues: (named) => ({ ...inOrg(named), body: { run: `${named.org} ${fresh()}` } }),
  agentAnywhere: () => ({}),
}

const zero = '00000000-0000-0000-0000-000000000000'

/** Of any organization, for operators with the permission. */
export const operatorNames: readonly string[] = Object.keys(ofOperators)

/** Every operation of organizations, and every route of the application. */
export const inputs: Readonly<Record<string, (named: Named) => Input>> = {
  ...ofOrganizations,
  ...ofApplication,
}

export const places: Readonly<Record<string, { method: string; path: string }>> = {
  ...routeMap,
  ...Object.fromEntries(Object.entries(routes).map(([name, { operation }]) => [name, operation])),
}

/** What a request of this operation names. */
export function namesIn(name: string): readonly (keyof Named)[] {
  const read = new Set<keyof Named>()
  const watched = new Proxy({} as Named, {
    get: (_target, key: keyof Named) => {
      read.add(key)
      return ''
    },
  })
  inputs[name]?.(watched)
  return [...read]
}
