import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/** For `second-factor-removed`, sent when a second factor was removed. */
export interface SecondFactorRemovedFacts {
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'A second step was removed from your sign-in',
    lead: 'Signing in to your account on a new device no longer asks for it.',
    at: 'When',
    action: 'Open security settings',
    note: 'If it was you, you don’t need to do anything. If not, another person is using your account. Reset your password on the sign-in page, sign out everywhere, and then add a second step again.',
  },
  ko: {
    title: '로그인에서 2단계 인증이 삭제되었습니다',
    lead: '이제 새 기기에서 회원님 계정에 로그인할 때 이 인증을 요구하지 않습니다.',
    at: '시각',
    action: '보안 설정 열기',
    note: '직접 삭제하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정하고 모든 기기에서 로그아웃한 뒤 2단계 인증을 다시 추가해 주세요.',
  },
}

/** Without another one, the password alone is enough again. */
export function secondFactorRemoved({ at, url }: SecondFactorRemovedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    details: [[words.at, moment(lang, at)]],
    action: { label: words.action, url },
  })
}
