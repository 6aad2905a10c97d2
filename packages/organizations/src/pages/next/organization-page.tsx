import { ValidationError } from '@svc/core/client'
import { requireSession } from '@svc/web/next'
import { notFound, redirect } from 'next/navigation.js'
import type { ReactNode } from 'react'
import type { OrganizationPart } from '../acts/organization-tabs.tsx'
import { PartView } from '../acts/part-view.tsx'
import { DomainsView } from '../domains/domains-view.tsx'
import { InvitationsView } from '../invitations/invitations-view.tsx'
import { OrganizationMachinesView } from '../machines/machines-view.tsx'
import { MembersView } from '../members/members-view.tsx'
import type { OwnOrganization } from '../organization-api.ts'
import { RolesView } from '../roles/roles-view.tsx'
import { partsOf } from './parts-of.ts'
import { findOrganization, orNotFound, serverOrganizationApi } from './server-organizations.ts'
import { SettingsPage } from './settings-page.tsx'
import { TeamPage, TeamsPage } from './team-pages.tsx'
import { TrailPage } from './trail-page.tsx'

/** What Next gives the page of `/orgs/[org]/[[...part]]`. */
export interface OrganizationPageProps {
  params: Promise<{ org: string; part?: string[] }>
  searchParams: Promise<{ [name: string]: string | string[] | undefined }>
  /** Where the pages are. `/orgs` unless set. */
  path?: string
  /** Where users sign in. `/login` unless set. */
  loginPath?: string
}

interface Given {
  organization: OwnOrganization
  userId: string
  /** Where the page of a list begins. */
  after: string | undefined
  /** What the address asks for. */
  query: Readonly<Record<string, string>>
  /** The address of this part. */
  address: string
}

const parts: Record<OrganizationPart, (given: Given) => ReactNode> = {
  members: (given) => <Members {...given} />,
  teams: ({ organization }) => <TeamsPage organization={organization} />,
  invitations: (given) => <Invitations {...given} />,
  domains: (given) => <Domains {...given} />,
  roles: (given) => <Roles {...given} />,
  machines: (given) => <Machines {...given} />,
  audit: (given) => <TrailPage {...given} />,
  settings: ({ organization }) => <SettingsPage organization={organization} />,
}

/** A query that a person has written may have a name twice. */
const isOnce = (given: [string, string | string[] | undefined]): given is [string, string] =>
  typeof given[1] === 'string' && given[1] !== ''

const isPart = (name: string): name is OrganizationPart => Object.hasOwn(parts, name)

/** All pages of one organization, from one file: the page of `/orgs/[org]/[[...part]]`. */
export async function OrganizationPage({
  params,
  searchParams,
  path = '/orgs',
  loginPath,
}: OrganizationPageProps): Promise<ReactNode> {
  const { org, part: [part = 'members', ...more] = [] } = await params
  const address = [path, org, part, ...more].join('/')
  const session = await requireSession({
    returnTo: address,
    ...(loginPath !== undefined && { loginPath }),
  })
  const organization = await findOrganization(decodeURIComponent(org))
  if (!organization || !isPart(part) || more.length > (part === 'teams' ? 1 : 0)) notFound()
  if (!partsOf(organization, session).includes(part)) {
    if (organization.isPersonal) redirect(`${path}/${org}/settings`)
    notFound()
  }
  // The layout says what the organization asks for first.
  if (organization.unmet.length > 0) return null
  const asked = Object.entries(await searchParams)
  const query = Object.fromEntries(asked.filter(isOnce))
  const { userId } = session
  const given = { organization, userId, query, after: query['after'], address }
  const [teamId] = more
  if (teamId !== undefined) return <TeamPage {...given} teamId={teamId} />
  return <PartView part={part}>{parts[part](given)}</PartView>
}

async function Members({ organization, userId, after, address }: Given) {
  const params = { org: organization.organizationId }
  const api = serverOrganizationApi()
  const query = after === undefined ? {} : { after }
  const [page, { roles }, { teams }] = await Promise.all([
    api.listOrganizationMembers.call({ params, query }).catch((error: unknown) => {
      // Another order has written this place, or a person.
      if (error instanceof ValidationError && after !== undefined) redirect(address)
      return orNotFound(error)
    }),
    api.listOrganizationRoles.call({ params }).catch(orNotFound),
    // For those who may add members to them.
    organization.permissions.includes('team:manage')
      ? api.listTeams.call({ params }).catch(orNotFound)
      : { teams: [] },
  ])
  return (
    <MembersView
      {...{ organization, roles, teams, userId }}
      members={page.items}
      next={page.next ?? null}
      isFirst={after === undefined}
      renderedAt={Date.now()}
    />
  )
}

async function Invitations({ organization }: Given) {
  const params = { org: organization.organizationId }
  const api = serverOrganizationApi()
  const [{ invitations }, { roles }] = await Promise.all([
    api.listOrganizationInvitations.call({ params }).catch(orNotFound),
    api.listOrganizationRoles.call({ params }).catch(orNotFound),
  ])
  return <InvitationsView {...{ organization, invitations, roles }} renderedAt={Date.now()} />
}

async function Domains({ organization }: Given) {
  const params = { org: organization.organizationId }
  const api = serverOrganizationApi()
  const [{ domains }, { roles }] = await Promise.all([
    api.listOrganizationDomains.call({ params }).catch(orNotFound),
    api.listOrganizationRoles.call({ params }).catch(orNotFound),
  ])
  return <DomainsView {...{ organization, domains, roles }} renderedAt={Date.now()} />
}

async function Roles({ organization }: Given) {
  const params = { org: organization.organizationId }
  const listed = await serverOrganizationApi()
    .listOrganizationRoles.call({ params })
    .catch(orNotFound)
  return <RolesView organization={organization} {...listed} />
}

async function Machines({ organization }: Given) {
  const params = { org: organization.organizationId }
  const api = serverOrganizationApi()
  const [{ serviceAccounts: accounts }, { roles }] = await Promise.all([
    api.listServiceAccounts.call({ params }).catch(orNotFound),
    api.listOrganizationRoles.call({ params }).catch(orNotFound),
  ])
  return <OrganizationMachinesView {...{ organization, accounts, roles }} renderedAt={Date.now()} />
}
