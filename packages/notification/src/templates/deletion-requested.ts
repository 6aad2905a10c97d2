import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { day } from './times.ts'

/**
 * For `deletion-requested`, sent when the deletion of an account was requested, with a link that
 * restores it.
 */
export interface DeletionRequestedFacts {
  /** The page where the app restores the account. */
  url: string
  /** When the account will be deleted, in ISO 8601. */
  purgeAt: string
}

const languages = {
  en: {
    title: 'Your account will be deleted',
    lead: (date: string) =>
      `We received a request to delete your account. It is closed now, and every device is signed out. It will be deleted on ${date}. Until then, you can restore it:`,
    action: 'Restore my account',
    note: 'If you didn’t ask for it, another person used your account. Restore it now, and then change your password.',
  },
  ko: {
    title: '계정이 삭제될 예정입니다',
    lead: (date: string) =>
      `요청에 따라 계정이 닫혔고 모든 기기에서 로그아웃되었습니다. 계정은 ${date}에 삭제됩니다. 그 전까지는 복구할 수 있습니다.`,
    action: '계정 복구',
    note: '직접 요청하지 않으셨다면 다른 사람이 계정을 사용한 것입니다. 지금 계정을 복구하고 비밀번호를 변경해 주세요.',
  },
}

/** An account will be deleted, and how to keep it. */
export function deletionRequested({ url, purgeAt }: DeletionRequestedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    lead: words.lead(day(lang, purgeAt)),
    action: { label: words.action, url },
  })
}
