import { ValidationError } from '@svc/core/client'
import { requireSession } from '@svc/web/next'
import { notFound, redirect } from 'next/navigation.js'
import type { ReactNode } from 'react'
import type { OrganizationPart } from '../acts/organization-tabs.tsx'
import { PartView } from '../acts/part-view.tsx'
import { InvitationsView } from '../invitations/invitations-view.tsx'
import { MembersView } from '../members/members-view.tsx'
import type { OwnOrganization } from '../organization-api.ts'
import { RolesView } from '../roles/roles-view.tsx'
import { SettingsView } from '../settings/settings-view.tsx'
import { findOrganization, orNotFound, serverOrganizationApi } from './server-organizations.ts'
import { TeamPage, TeamsPage } from './team-pages.tsx'

/** What Next gives the page of `/orgs/[org]/[[...part]]`. */
export interface OrganizationPageProps {
  params: Promise<{ org: string; part?: string[] }>
  searchParams: Promise<{ after?: string | string[] }>
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
  /** The address of this part. */
  address: string
}

const parts: Record<OrganizationPart, (given: Given) => ReactNode> = {
  members: (given) => <Members {...given} />,
  teams: ({ organization }) => <TeamsPage organization={organization} />,
  invitations: (given) => <Invitations {...given} />,
  roles: (given) => <Roles {...given} />,
  settings: ({ organization }) => <SettingsView organization={organization} />,
}

/** What a part asks for. Others than members who have it see what strangers see. */
const needed: { readonly [part in OrganizationPart]?: string } = { invitations: 'member:invite' }

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
  const { userId } = await requireSession({
    returnTo: address,
    ...(loginPath !== undefined && { loginPath }),
  })
  const organization = await findOrganization(decodeURIComponent(org))
  if (!organization || !isPart(part) || more.length > (part === 'teams' ? 1 : 0)) notFound()
  const permission = needed[part]
  if (permission !== undefined && !organization.permissions.includes(permission)) notFound()
  if (organization.isPersonal && part !== 'settings') redirect(`${path}/${org}/settings`)
  // The layout says what the organization asks for first.
  if (organization.unmet.length > 0) return null
  const { after } = await searchParams
  const given = {
    organization,
    userId,
    after: typeof after === 'string' ? after : undefined,
    address,
  }
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

async function Roles({ organization }: Given) {
  const params = { org: organization.organizationId }
  const listed = await serverOrganizationApi()
    .listOrganizationRoles.call({ params })
    .catch(orNotFound)
  return <RolesView organization={organization} {...listed} />
}
