import { t } from '@svc/core'
import { actionButton, defineMail, paragraph } from '@svc/notification'

const data = t.Object({
  url: t.String(),
  organization: t.String(),
  /** Empty if the user has no name. */
  invitedBy: t.String(),
  expiresInDays: t.Integer(),
})

/** It is sent at once and not stored, because its address contains the token. */
export const invitationMail = defineMail('organizations.invitation', data, {
  en: ({ url, organization, invitedBy, expiresInDays }) => ({
    subject: `Join ${organization}`,
    body: [
      paragraph(
        `${invitedBy || 'A member'} has invited you to ${organization}. The invitation expires in ${days(expiresInDays)}.`,
      ),
      actionButton('Join', url),
    ],
    note: 'If you don’t want to join, you can ignore this mail.',
  }),
  ko: ({ url, organization, invitedBy, expiresInDays }) => ({
    subject: `${organization}에 초대되었습니다`,
    body: [
      paragraph(
        `${invitedBy || '구성원'} 님이 ${organization}에 초대했습니다. 초대는 ${expiresInDays}일 후에 만료됩니다.`,
      ),
      actionButton('참여하기', url),
    ],
    note: '참여하지 않으려면 이 메일을 무시하셔도 됩니다.',
  }),
})

const days = (count: number) => (count === 1 ? 'one day' : `${count} days`)
