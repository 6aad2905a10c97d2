import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

export interface RecoveryCodesMadeFacts {
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'New recovery codes were created for your account',
    lead: 'Your old codes no longer work.',
    at: 'When',
    action: 'Open security settings',
    note: 'If it was you, keep the new codes in a safe place. If not, another person is using your account. Reset your password on the sign-in page, sign out everywhere, and then create new codes yourself.',
  },
  ko: {
    title: '계정의 복구 코드가 새로 만들어졌습니다',
    lead: '이전에 받은 복구 코드는 더 이상 사용할 수 없습니다.',
    at: '시각',
    action: '보안 설정 열기',
    note: '직접 만드셨다면 새 코드를 안전한 곳에 보관해 주세요. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정하고 모든 기기에서 로그아웃한 뒤 복구 코드를 다시 만들어 주세요.',
  },
}

/** The old codes have stopped working. An attacker who made the new ones can use them. */
export function recoveryCodesMade({ at, url }: RecoveryCodesMadeFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    details: [[words.at, moment(lang, at)]],
    action: { label: words.action, url },
  })
}
