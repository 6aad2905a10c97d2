import { aligned } from '../terminal.ts'

/** An organization, as `searchOrganizations` has it. */
export interface Organization {
  organizationId: string
  name: string
  slug: string
  state: string
  createdAt: string
  closedAt?: string
  purgeAt?: string
  isClosedByOperator: boolean
}

type Policies = Record<string, boolean | number | string | string[]>

/** The same, as `readAnyOrganization` has it. */
export interface Details extends Organization {
  memberCount: number
  ownerCount: number
  invitationCount: number
  policies: Policies
}

export interface Member {
  userId: string
  email: string | null
  displayName: string | null
  joinedAt: string
}

/** An organization on a screen: what an operator asks first. */
export function describeOrganization(organization: Details, owners: Member[]) {
  const { closedAt, purgeAt, isClosedByOperator, ...of } = organization
  const lines = [
    ['Organization id', of.organizationId],
    ['Name', of.name],
    ['Slug', of.slug],
    ['State', of.state],
    ...(closedAt
      ? [['Closed', `${closedAt} by ${isClosedByOperator ? 'an operator' : 'an owner'}`]]
      : []),
    ...(purgeAt ? [['Deleted at', purgeAt]] : []),
    ['Created', of.createdAt],
    ['Members', String(of.memberCount)],
    ['Owners', String(of.ownerCount)],
    ['Invitations', String(of.invitationCount)],
    ['Policies', describePolicies(of.policies)],
  ]
  const rows = owners.map(({ userId, email, displayName }) => [
    userId,
    email ?? '',
    displayName ?? '',
  ])
  return [
    ...aligned(lines).map((row) => row.join('   ')),
    ...(rows.length === 0 ? [] : ['', 'Owners:']),
    ...aligned(rows).map((row) => `  ${row.join('   ').trimEnd()}`),
  ].join('\n')
}

function describePolicies(policies: Policies) {
  const asked = Object.entries(policies).filter(([, value]) => value !== false)
  return asked.map(([name, value]) => `${name}: ${[value].flat().join(', ')}`).join('; ') || 'none'
}
