import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

export interface ContactAddedFacts {
  /** The number, masked by whoever says it. */
  added: string
  /** When, in ISO 8601. */
  at: string
}

const languages = {
  en: {
    title: 'A phone number was added to your account',
    lead: 'From now on, codes to this number sign in to your account.',
    added: 'Number',
    at: 'When',
    note: 'If it was you, there is nothing to do. If not, somebody else is in your account: ask for a new password where you sign in, then sign out everywhere and put your own number in its place.',
  },
  ko: {
    title: '계정에 전화번호가 추가되었습니다',
    lead: '이제 이 번호로 받은 인증 코드로 회원님 계정에 로그인할 수 있습니다.',
    added: '전화번호',
    at: '시각',
    note: '직접 추가하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃하고, 본인의 번호로 바꿔 주세요.',
  },
}

/** The account has a first number: there is no old one that could be told. */
export function contactAdded({ added, at }: ContactAddedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  const details: [string, string][] = [
    [words.added, added],
    [words.at, moment(lang, at)],
  ]
  return letter({ ...words, lang, details })
}
