import { preferredLocale } from '../accounts/preferred-locale.ts'
import { defineCapability } from '../capability/capability.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { cancelInvitation } from './cancel-invitation.ts'
import { invitationContract } from './contract.ts'
import { createInvitation } from './create-invitation.ts'
import { deleteInvitation } from './delete-invitation.ts'
import { exportInvitationsOf } from './export-invitations.ts'
import { forgetInvitationsOf } from './forget-invitations-of.ts'
import { getInvitation } from './get-invitation.ts'
import { listInvitations } from './list-invitations.ts'
import { mailInvitation } from './mail-invitation.ts'
import { resendInvitation } from './resend-invitation.ts'
import { invitations } from './schema.ts'
import { voidEveryToken } from './void-every-token.ts'

export const invitationCapability = defineCapability(invitationContract, {
  tables: { invitations },
  linkMails: { invitation: mailInvitation },
  handlers: {
    createInvitation: ({ auth, caller, body, origin }) =>
      createInvitation(auth, { caller, body, origin }),
    listInvitations: async ({ auth, query, c }) => {
      const { items, page, limit, total } = await listInvitations(auth, query)
      return c.paginated(items, page, limit, total)
    },
    getInvitation: ({ auth, body }) => getInvitation(auth, body.token),
    acceptInvitation: ({ auth, body, origin, c }) => {
      const locale = preferredLocale(c.raw.req.header('accept-language'))
      return acceptInvitation(auth, body, { origin, locale })
    },
    cancelInvitation: ({ auth, caller, body, origin }) =>
      cancelInvitation(auth, { caller, ...body, origin }),
    resendInvitation: ({ auth, caller, body, origin }) =>
      resendInvitation(auth, { caller, ...body, origin }),
    deleteInvitation: async ({ auth, caller, body, origin, c }) => {
      await deleteInvitation(auth, { caller, ...body, origin })
      return c.noContent()
    },
  },
  account: {
    export: { invitations: exportInvitationsOf },
    forget: forgetInvitationsOf,
    endUnderWay: async (db, now) => ({ invitations: await voidEveryToken(db, now) }),
  },
})
