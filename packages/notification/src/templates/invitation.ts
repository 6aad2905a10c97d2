import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { duration } from './times.ts'

/** For `invitation`, sent to an address that was invited. */
export interface InvitationFacts {
  /** The page of the app that accepts the invitation, with its token. */
  url: string
  /** The display name of the role. */
  role: string
  invitedBy?: string | undefined
  expiresInDays: number
}

const languages = {
  en: {
    title: 'You are invited',
    lead: 'You are invited to create an account with this email address. Accept the invitation to choose a password and sign in.',
    role: 'Role',
    invitedBy: 'Invited by',
    action: 'Accept the invitation',
    expiry: (time: string) => `The invitation expires in ${time}.`,
    note: 'If you don’t know what this is about, you can ignore this message. Without the link, no account is created. Don’t forward this message.',
  },
  ko: {
    title: '초대를 받으셨습니다',
    lead: '이 이메일 주소로 계정을 만들도록 초대를 받으셨습니다. 초대를 수락하시면 비밀번호를 정하고 로그인할 수 있습니다.',
    role: '역할',
    invitedBy: '초대한 사람',
    action: '초대 수락',
    expiry: (time: string) => `초대는 ${time} 동안 유효합니다.`,
    note: '모르는 초대라면 이 메시지를 무시하셔도 됩니다. 링크를 열지 않으면 계정이 만들어지지 않습니다. 이 메시지를 다른 사람에게 전달하지 마세요.',
  },
}

/** The link that invites a person without an account. */
export function invitation(facts: InvitationFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    details: [
      [words.role, facts.role],
      [words.invitedBy, facts.invitedBy],
    ],
    action: { label: words.action, url: facts.url },
    expiry: words.expiry(duration(lang, facts.expiresInDays, 'day')),
  })
}
