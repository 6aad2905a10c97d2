import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/** For `passkey-removed`, sent when a passkey was removed from an account. */
export interface PasskeyRemovedFacts {
  /** The name that it was given when it was added. */
  label?: string | undefined
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'A passkey was removed from your account',
    lead: 'You can no longer sign in to your account with this passkey.',
    label: 'Name',
    at: 'When',
    action: 'Open security settings',
    note: 'If it was you, you don’t need to do anything. If not, another person is using your account. Reset your password on the sign-in page, and then sign out everywhere.',
  },
  ko: {
    title: '계정에서 패스키가 삭제되었습니다',
    lead: '더 이상 이 패스키로 회원님 계정에 로그인할 수 없습니다.',
    label: '이름',
    at: '시각',
    action: '보안 설정 열기',
    note: '직접 삭제하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃해 주세요.',
  },
}

/** A passkey of the account was removed. */
export function passkeyRemoved({ label, at, url }: PasskeyRemovedFacts, locale: string) {
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
