import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { duration } from './times.ts'

/** For `signup-link`, sent with the link that confirms the address of a new user. */
export interface SignupLinkFacts {
  /** The page of the app that confirms the address, with its token. */
  url: string
  expiresInMinutes: number
}

const languages = {
  en: {
    title: 'Confirm your address',
    lead: 'We received a request to create an account with this email address. Confirm the address to choose a password and finish.',
    action: 'Confirm my address',
    expiry: (time: string) => `The link works once and expires in ${time}.`,
    note: 'If you didn’t ask for an account, you can ignore this message. Without the link, no account is created. Don’t forward this message.',
  },
  ko: {
    title: '이메일 주소를 확인해 주세요',
    lead: '이 이메일 주소로 회원 가입 요청이 있었습니다. 주소를 확인하시면 비밀번호를 정하고 가입을 마칠 수 있습니다.',
    action: '이메일 주소 확인',
    expiry: (time: string) => `링크는 ${time} 동안 한 번만 사용할 수 있습니다.`,
    note: '직접 요청하지 않으셨다면 이 메시지를 무시하셔도 됩니다. 링크를 열지 않으면 계정이 만들어지지 않습니다. 이 메시지를 다른 사람에게 전달하지 마세요.',
  },
}

/** The link that continues a registration by mail. */
export function signupLink({ url, expiresInMinutes }: SignupLinkFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    action: { label: words.action, url },
    expiry: words.expiry(duration(lang, expiresInMinutes, 'minute')),
  })
}
