import { preferredLocale } from '../accounts/accounts.ts'
import { defineCapability } from '../capability/capability.ts'
import { acceptInvitation, getInvitation } from './accept-invitation.ts'
import { invitationActs } from './acts.ts'
import { invitationContract } from './contract.ts'
import { invitationVariables } from './env.ts'
import { createInvitation, mailInvitation } from './invitations.ts'
import {
  cancelInvitation,
  deleteInvitation,
  listInvitations,
  resendInvitation,
} from './manage-invitations.ts'
import { invitations } from './schema.ts'
import { exportInvitationsOf, forgetInvitationsOf, voidEveryToken } from './store.ts'

export const invitationCapability = defineCapability(invitationContract, {
  audit: invitationActs,
  env: invitationVariables,
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
