import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { duration } from './times.ts'

/** For `revoke-all`, sent with the link that signs out everywhere. */
export interface RevokeAllFacts {
  /** The page that signs out everywhere, with its token. */
  url: string
  expiresInMinutes: number
}

const languages = {
  en: {
    title: 'Sign out everywhere',
    lead: 'Use this link to sign out every device of your account. We ask you to confirm first, and you can sign in again afterwards.',
    action: 'Sign out everywhere',
    expiry: (time: string) => `The link works once and expires in ${time}.`,
    note: 'If you didn’t ask for it, you can ignore this message. Use the link if you think that another person is using your account. Don’t forward this message.',
  },
  ko: {
    title: '모든 기기에서 로그아웃',
    lead: '아래 링크로 모든 기기에서 로그아웃할 수 있습니다. 로그아웃하기 전에 한 번 더 확인하며, 이후 다시 로그인할 수 있습니다.',
    action: '모든 기기에서 로그아웃',
    expiry: (time: string) => `링크는 ${time} 동안 한 번만 사용할 수 있습니다.`,
    note: '직접 요청하지 않으셨다면 이 메시지를 무시하셔도 됩니다. 다른 사람이 계정을 사용하는 것 같다면 링크를 사용해 주세요. 이 메시지를 다른 사람에게 전달하지 마세요.',
  },
}

/** The link to signing out everywhere. */
export function revokeAll({ url, expiresInMinutes }: RevokeAllFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    action: { label: words.action, url },
    expiry: words.expiry(duration(lang, expiresInMinutes, 'minute')),
  })
}
