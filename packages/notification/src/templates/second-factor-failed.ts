import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

export interface SecondFactorFailedFacts {
  /** When, in ISO 8601. */
  at: string
  address?: string | undefined
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'A sign-in failed at your second step',
    lead: 'A person passed the first step of your sign-in, for example with your password, and then failed the second step several times. They were not signed in.',
    at: 'When',
    address: 'IP address',
    action: 'Open security settings',
    note: 'If it was you, sign in again. If not, another person may know your password: change your password in the security settings.',
  },
  ko: {
    title: '2단계 인증에 여러 번 실패한 로그인이 있습니다',
    lead: '누군가 회원님의 비밀번호 등 로그인의 첫 단계를 통과한 뒤 2단계 인증에 여러 번 실패했습니다. 로그인되지는 않았습니다.',
    at: '시각',
    address: '접속 주소',
    action: '보안 설정 열기',
    note: '직접 시도하셨다면 다시 로그인해 주세요. 그렇지 않다면 다른 사람이 비밀번호를 알고 있을 수 있으니 보안 설정에서 비밀번호를 변경해 주세요.',
  },
}

/** The first step was passed, so only the second one kept this person out. */
export function secondFactorFailed({ at, address, url }: SecondFactorFailedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    details: [
      [words.at, moment(lang, at)],
      [words.address, address],
    ],
    action: { label: words.action, url },
  })
}
