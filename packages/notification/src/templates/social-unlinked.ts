import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { socialNameIn, socialNames } from './social-names.ts'
import { moment } from './times.ts'

/** For `social-unlinked`, sent when an account at a provider was unlinked. */
export interface SocialUnlinkedFacts {
  /** The provider's id, as in `auth.login`. */
  provider: string
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'A way to sign in was removed from your account',
    lead: 'The account at this provider can no longer sign in to your account.',
    provider: 'Provider',
    providers: socialNames.en,
    at: 'When',
    action: 'Open security settings',
    note: 'If it was you, here or in the settings of the provider, you don’t need to do anything. If not, another person is using your account. Reset your password on the sign-in page, and then sign out everywhere.',
  },
  ko: {
    title: '계정에서 로그인 방법이 삭제되었습니다',
    lead: '더 이상 이 서비스의 계정으로 회원님 계정에 로그인할 수 없습니다.',
    provider: '서비스',
    providers: socialNames.ko,
    at: '시각',
    action: '보안 설정 열기',
    note: '여기에서 또는 해당 서비스의 설정에서 직접 연결을 해제하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃해 주세요.',
  },
}

/**
 * The account has lost a way to sign in: its owner removed it, or ended the consent at the
 * provider.
 */
export function socialUnlinked({ provider, at, url }: SocialUnlinkedFacts, locale: string) {
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
