import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/** For `password-changed`, sent when a password was changed or reset. */
export interface PasswordChangedFacts {
  /** When, in ISO 8601. */
  at: string
}

const languages = {
  en: {
    title: 'Your password was changed',
    lead: 'The password of your account was changed.',
    at: 'When',
    note: 'If it was you, you don’t need to do anything. If not, another person is using your account. Reset your password on the sign-in page, and then sign out everywhere.',
  },
  ko: {
    title: '비밀번호가 변경되었습니다',
    lead: '회원님 계정의 비밀번호가 변경되었습니다.',
    at: '시각',
    note: '직접 변경하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃해 주세요.',
  },
}

/** The password was changed. */
export function passwordChanged({ at }: PasswordChangedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({ ...words, lang, details: [[words.at, moment(lang, at)]] })
}
