import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { duration } from './times.ts'

/** For `password-reset`, sent with the link that sets a new password. */
export interface PasswordResetFacts {
  /** The page of the app that sets a new password, with its token. */
  url: string
  expiresInMinutes: number
}

const languages = {
  en: {
    title: 'Reset your password',
    lead: 'We received a request to reset the password of your account. Choose a new one here:',
    action: 'Choose a new password',
    expiry: (time: string) => `The link works once and expires in ${time}.`,
    note: 'If you didn’t ask for it, you can ignore this message. Your password stays the same. Don’t forward this message: the link gives access to your account.',
  },
  ko: {
    title: '비밀번호 재설정',
    lead: '회원님의 계정에 대한 비밀번호 재설정 요청이 있었습니다. 아래에서 새 비밀번호를 정해 주세요.',
    action: '새 비밀번호 정하기',
    expiry: (time: string) => `링크는 ${time} 동안 한 번만 사용할 수 있습니다.`,
    note: '직접 요청하지 않으셨다면 이 메시지를 무시하셔도 됩니다. 비밀번호는 바뀌지 않습니다. 링크로 계정을 열 수 있으니 이 메시지를 다른 사람에게 전달하지 마세요.',
  },
}

/** The link for a new password. */
export function passwordReset({ url, expiresInMinutes }: PasswordResetFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    action: { label: words.action, url },
    expiry: words.expiry(duration(lang, expiresInMinutes, 'minute')),
  })
}
