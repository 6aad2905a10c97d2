import type { AuthSession } from '@svc/auth'
import type { ReactNode } from 'react'
import { getSession, RequirePermission } from '../../guards/guards.ts'
import {
  InvitationAdministration,
  InvitationsView,
} from '../invitations/invitation-administration.tsx'
import { type Listing, readListing } from '../invitations/listing.ts'
import { accountPaths } from '../provider/account-paths.ts'
import { type AccountPageProps, guarded } from './page-props.ts'
import { serverAuthApi } from './server-account.ts'

const onPage = 20

/** The page's place and slots, its query, and what users without the permission see. */
export interface InvitationsPageProps extends AccountPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
  /** Shown to a user whose role lacks the permission `user:read`. */
  denied?: ReactNode
}

/** Invites people, and lists the invitations. */
export async function InvitationsPage({ searchParams, denied, ...given }: InvitationsPageProps) {
  const { guard, slots } = guarded(given, accountPaths.invitations)
  const listing = readListing(await searchParams)
  return (
    <RequirePermission permissions={['user:read']} {...guard} denied={denied}>
      <InvitationsView {...slots}>
        <Listed listing={listing} />
      </InvitationsView>
    </RequirePermission>
  )
}

async function Listed({ listing }: { listing: Listing }) {
  const session = await getSession()
  return session && <ListedFor session={session} listing={listing} />
}

/** A page of invitations as they are now, and what the user may do. */
async function ListedFor({ session, listing }: { session: AuthSession; listing: Listing }) {
  const { roles: held, permissions } = session
  const isSuperadmin = held.some(({ name }) => name === 'superadmin')
  const api = serverAuthApi()
  const [{ data, meta }, roles] = await Promise.all([
    api.listInvitations.call({ query: { ...listing, limit: onPage } }),
    // Only superadmins may list the roles.
    isSuperadmin ? api.listRoles.call().then((answer) => answer.roles) : null,
  ])
  return (
    <InvitationAdministration
      listing={listing}
      invitations={data}
      totalPages={meta.pagination.totalPages}
      renderedAt={Date.now()}
      roles={roles?.filter(({ isActive }) => isActive) ?? null}
      mayInvite={permissions.includes('user:invite')}
      mayDelete={isSuperadmin}
    />
  )
}
