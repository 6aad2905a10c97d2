import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/** For `passkey-added`, sent when a passkey was added to an account. */
export interface PasskeyAddedFacts {
  /** The name that it was given when it was added. */
  label?: string | undefined
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'A passkey was added to your account',
    lead: 'You can now sign in to your account with this passkey.',
    label: 'Name',
    at: 'When',
    action: 'Open security settings',
    note: 'If it was you, you don’t need to do anything. If not, another person is using your account. Remove this passkey in the security settings. Reset your password on the sign-in page, and then sign out everywhere.',
  },
  ko: {
    title: '계정에 패스키가 추가되었습니다',
    lead: '이제 이 패스키로 회원님 계정에 로그인할 수 있습니다.',
    label: '이름',
    at: '시각',
    action: '보안 설정 열기',
    note: '직접 추가하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 보안 설정에서 이 패스키를 삭제하고, 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃해 주세요.',
  },
}

/** The account has another passkey. */
export function passkeyAdded({ label, at, url }: PasskeyAddedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    details: [
      [words.label, label],
      [words.at, moment(lang, at)],
    ],
    action: { label: words.action, url },
  })
}
