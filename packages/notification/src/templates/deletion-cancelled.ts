import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/** For `deletion-cancelled`, sent when an account was restored before it was deleted. */
export interface DeletionCancelledFacts {
  /** When, in ISO 8601. */
  at: string
}

const languages = {
  en: {
    title: 'Your account will not be deleted',
    lead: 'The deletion of your account was cancelled. You can sign in again as before.',
    at: 'When',
    note: 'If it wasn’t you, another person can sign in to your account. Reset your password on the sign-in page, and then sign out everywhere.',
  },
  ko: {
    title: '계정 삭제가 취소되었습니다',
    lead: '계정 삭제가 취소되어 이전처럼 다시 로그인할 수 있습니다.',
    at: '시각',
    note: '직접 취소하지 않으셨다면 다른 사람이 로그인 방법을 알고 있는 것입니다. 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃해 주세요.',
  },
}

/** The deletion of an account was cancelled. */
export function deletionCancelled({ at }: DeletionCancelledFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({ ...words, lang, details: [[words.at, moment(lang, at)]] })
}
