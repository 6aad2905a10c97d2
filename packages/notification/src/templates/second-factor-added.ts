import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/**
 * For `second-factor-added`, sent when an authenticator app or a passkey became a second factor.
 */
export interface SecondFactorAddedFacts {
  method: 'totp' | 'passkey'
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'A second step was added to your sign-in',
    lead: 'Signing in to your account on a new device now needs a second step.',
    method: 'Second step',
    methods: { totp: 'Code from an authenticator app', passkey: 'Passkey' },
    at: 'When',
    action: 'Open security settings',
    yours: {
      totp: 'If it was you, keep your recovery codes in a safe place.',
      passkey: 'If it was you, you don’t need to do anything.',
    },
    note: 'If not, another person is using your account. Sign out everywhere, and reset your password on the sign-in page. If you are asked for a second step that is not yours, contact support.',
  },
  ko: {
    title: '로그인에 2단계 인증이 추가되었습니다',
    lead: '이제 새 기기에서 회원님 계정에 로그인할 때 2단계 인증이 필요합니다.',
    method: '인증 수단',
    methods: { totp: '인증 앱의 코드', passkey: '패스키' },
    at: '시각',
    action: '보안 설정 열기',
    yours: {
      totp: '직접 추가하셨다면 복구 코드를 안전한 곳에 보관해 주세요.',
      passkey: '직접 추가하셨다면 아무것도 하지 않으셔도 됩니다.',
    },
    note: '그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 모든 기기에서 로그아웃하고 로그인 화면에서 비밀번호를 재설정해 주세요. 본인의 것이 아닌 인증 수단을 요구받으면 고객 지원에 문의해 주세요.',
  },
}

/** The password alone no longer signs in. */
export function secondFactorAdded({ method, at, url }: SecondFactorAddedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    note: `${words.yours[method]} ${words.note}`,
    details: [
      [words.method, words.methods[method]],
      [words.at, moment(lang, at)],
    ],
    action: { label: words.action, url },
  })
}
