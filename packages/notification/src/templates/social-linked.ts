import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { socialNameIn, socialNames } from './social-names.ts'
import { moment } from './times.ts'

/** For `social-linked`, sent when an account at a provider was linked. */
export interface SocialLinkedFacts {
  /** The provider's id, as in `auth.login`. */
  provider: string
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'Another way to sign in was added to your account',
    lead: 'An account at this provider can now sign in to your account.',
    provider: 'Provider',
    providers: socialNames.en,
    at: 'When',
    action: 'Open security settings',
    note: 'If it was you, you don’t need to do anything. If not, another person is using your account. In the security settings, remove this way to sign in. Reset your password on the sign-in page, and then sign out everywhere.',
  },
  ko: {
    title: '계정에 새 로그인 방법이 추가되었습니다',
    lead: '이제 이 서비스의 계정으로 회원님 계정에 로그인할 수 있습니다.',
    provider: '서비스',
    providers: socialNames.ko,
    at: '시각',
    action: '보안 설정 열기',
    note: '직접 추가하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 보안 설정에서 이 로그인 방법을 삭제하고, 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃해 주세요.',
  },
}

/** The account has another way to sign in. */
export function socialLinked({ provider, at, url }: SocialLinkedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    details: [
      [words.provider, socialNameIn(words.providers, provider)],
      [words.at, moment(lang, at)],
    ],
    action: { label: words.action, url },
  })
}
