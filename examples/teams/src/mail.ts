import { t } from '@svc/core'
import { defineMail, paragraph } from '@svc/notification'

export const removedMail = defineMail('teams.removed', t.Object({ name: t.String() }), {
  en: ({ name }) => ({
    subject: `You were removed from ${name}`,
    body: [paragraph(`You are no longer a member of the team ${name}.`)],
    note: 'To join again, ask the owner of the team.',
  }),
})
