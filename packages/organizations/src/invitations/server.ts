import type { Handlers } from '@svc/auth/server'
import { byCaller, type OrganizationHeld } from '../membership/membership.ts'
import type { ofInvitations } from './contract.ts'
import {
  acceptInvitation,
  cancelInvitation,
  invite,
  listInvitations,
  readOffer,
} from './invitations.ts'

export const invitationHandlers: Handlers<typeof ofInvitations, OrganizationHeld> = {
  async inviteToOrganization({ auth, standing, caller, body, origin, c }) {
    return c.created(await invite(auth, body, { standing, by: byCaller(caller, origin) }))
  },
  async listOrganizationInvitations({ auth, standing }) {
    return { invitations: await listInvitations(auth, standing) }
  },
  async cancelOrganizationInvitation({ auth, standing, caller, params, origin, c }) {
    const asked = { standing, by: byCaller(caller, origin) }
    await cancelInvitation(auth, params.invitationId, asked)
    return c.noContent()
  },
  getOrganizationInvitation: ({ auth, body }) => readOffer(auth, body.token),
  acceptOrganizationInvitation: ({ auth, caller, body, origin }) =>
    acceptInvitation(auth, body.token, byCaller(caller, origin)),
}

export { mailInvitation } from './invitations.ts'
export { invitationMail } from './mail.ts'
