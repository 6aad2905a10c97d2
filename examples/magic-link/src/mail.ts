import { t } from '@svc/core'
import { actionButton, defineMail, paragraph } from '@svc/notification'

/** It is sent at once and not stored, because its address contains the token. */
export const signInMail = defineMail(
  'magic-link.sign-in',
  t.Object({ url: t.String(), expiresInMinutes: t.Integer() }),
  {
    en: ({ url, expiresInMinutes }) => ({
      subject: 'Your link to sign in',
      body: [
        paragraph(
          `Open this link to sign in. It works once and expires in ${expiresInMinutes} minutes.`,
        ),
        actionButton('Sign in', url),
      ],
      note: 'If you didn’t ask for it, you can ignore this mail.',
    }),
  },
)
