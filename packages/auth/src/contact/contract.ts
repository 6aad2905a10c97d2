import { route, t } from '@svc/core/contract'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { tokenRefusals } from '../codes/contract.ts'
import { currentPassword, ownerRefusals, passwordLimits } from '../fresh-proof/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { linkToken } from '../links/contract.ts'
import { sendLimits } from '../sends/contract.ts'
import { ContactUndoLinkError } from './errors.ts'

/**
 * The token proves the new contact. The password proves that the owner asks, if the account has
 * one.
 */
const proof = {
  verificationToken: t.String({ maxLength: 2048 }),
  currentPassword,
}
const changeRefusals = [...tokenRefusals, AccountAlreadyExistsError, ...ownerRefusals] as const

const link = { body: t.Object({ token: linkToken }) }
const linkRefusals = [ContactUndoLinkError, ...limitRefusals] as const
const Kind = t.Union([t.Literal('email'), t.Literal('phone')])

/** Changes an account's address or number. The old one gets a link that undoes the change. */
export const contactContract = defineContract('contact', {
  at: '/_auth/users',
  operations: {
    changeEmail: allow.fresh(
      route
        .put('/_auth/users/email')
        .input({ body: t.Object({ email: t.String({ maxLength: 320 }), ...proof }) })
        .answer(t.Object({ email: t.String() }))
        .errors(...changeRefusals)
        .describe({
          summary: 'Changes the email address. A code for `email_change` proves the new one.',
        }),
    ),
    changePhone: allow.fresh(
      route
        .put('/_auth/users/phone')
        .input({ body: t.Object({ phone: t.String({ maxLength: 64 }), ...proof }) })
        .answer(t.Object({ phone: t.String() }))
        .errors(...changeRefusals)
        .describe({
          summary: 'Changes the phone number. A code for `phone_change` proves the new one.',
        }),
    ),
    confirmContactUndoLink: allow.public('contact undo by address')(
      route
        .post('/_auth/users/contact-undo/confirm')
        .input(link)
        .answer(t.Object({ kind: Kind, restores: t.String(), expiresAt: t.String() }))
        .errors(...linkRefusals)
        .describe({ summary: 'Returns what the link would undo. It changes nothing.' }),
    ),
    consumeContactUndoLink: allow.public('contact undo by address')(
      route
        .post('/_auth/users/contact-undo/consume')
        .input(link)
        .answer(t.Object({ kind: Kind, restores: t.String(), revokedCount: t.Integer() }))
        .errors(...linkRefusals)
        .describe({ summary: 'Restores the old address or number, and signs out every device.' }),
    ),
  },
  errors: [ContactUndoLinkError],
  limits: {
    'contact change by address': perMinute(50),
    'contact change by account': perMinute(10),
    'contact undo by address': perMinute(10),
    ...passwordLimits,
    ...sendLimits,
  },
})
