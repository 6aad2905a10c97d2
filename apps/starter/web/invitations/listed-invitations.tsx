import type { AuthSession } from '@svc/auth'
import { serverAuthApi } from '../server-api.ts'
import { InvitationAdministration } from './invitation-administration.tsx'
import type { Listing } from './listing.ts'

const onPage = 20

/** A page of invitations as they are now, and what whoever reads it may do. */
export async function ListedInvitations(given: { session: AuthSession; listing: Listing }) {
  const { role, permissions } = given.session
  const isSuperadmin = role.name === 'superadmin'
  const api = serverAuthApi()
  const [{ data, meta }, roles] = await Promise.all([
    api.listInvitations.call({ query: { ...given.listing, limit: onPage } }),
    // Only superadmins are told which roles there are.
    isSuperadmin ? api.listRoles.call().then((answer) => answer.roles) : null,
  ])
  return (
    <InvitationAdministration
      listing={given.listing}
      invitations={data}
      totalPages={meta.pagination.totalPages}
      renderedAt={Date.now()}
      roles={roles?.filter(({ isActive }) => isActive) ?? null}
      mayInvite={permissions.includes('user:invite')}
      mayDelete={isSuperadmin}
    />
  )
}
