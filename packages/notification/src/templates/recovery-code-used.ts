import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/** For `recovery-code-used`, sent when a recovery code was used in place of the second step. */
export interface RecoveryCodeUsedFacts {
  /** How many codes are left. */
  remaining: number
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'A recovery code of your account was used',
    lead: 'It was used in place of your second step. It can’t be used again.',
    remaining: 'Codes left',
    at: 'When',
    action: 'Open security settings',
    note: 'If it was you, create new codes when only a few are left. If not, another person has your codes. Reset your password on the sign-in page, sign out everywhere, and then create new codes.',
  },
  ko: {
    title: '계정의 복구 코드가 사용되었습니다',
    lead: '2단계 인증 대신 복구 코드가 사용되었습니다. 이 코드는 다시 사용할 수 없습니다.',
    remaining: '남은 코드',
    at: '시각',
    action: '보안 설정 열기',
    note: '직접 사용하셨다면 남은 코드가 적을 때 새 코드를 만들어 주세요. 그렇지 않다면 다른 사람이 복구 코드를 가지고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정하고 모든 기기에서 로그아웃한 뒤 새 코드를 만들어 주세요.',
  },
}

/** A sign-in used a recovery code instead of the authenticator app or the passkey. */
export function recoveryCodeUsed({ remaining, at, url }: RecoveryCodeUsedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    details: [
      [words.remaining, String(remaining)],
      [words.at, moment(lang, at)],
    ],
    action: { label: words.action, url },
  })
}
