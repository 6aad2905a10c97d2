import { defineJob } from '@svc/core'
import { type Auth, authOn } from './auth.ts'
import { mailContactUndo } from './contact/mail-contact-undo.ts'
import { mailInvitation } from './invitations/mail-invitation.ts'
import { LinkMailOrder } from './link-mail/link-mail-order.ts'
import { mailPasswordReset } from './password-reset/mail-password-reset.ts'
import { sendRevokeAllLink } from './revoke-all/send-revoke-all-link.ts'
import { mailSignupLink } from './signup/mail-signup-link.ts'

type Mailer = (auth: Auth, id: string) => Promise<void>

const mailers: Record<LinkMailOrder['kind'], Mailer> = {
  signup: mailSignupLink,
  password_reset: mailPasswordReset,
  revoke_all: sendRevokeAllLink,
  invitation: mailInvitation,
  contact_undo: mailContactUndo,
}

/** Mints the link of a row and mails it. Fails when the mail is not taken, to be tried again with another token. */
export function sendLinkMail(auth: Auth, { kind, id }: LinkMailOrder) {
  return mailers[kind](auth, id)
}

export const linkMail = defineJob('auth.link-mail')
  .input(LinkMailOrder)
  .handler((order, { db }) => sendLinkMail(authOn(db), order))
