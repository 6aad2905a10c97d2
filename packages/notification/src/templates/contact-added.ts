import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/**
 * For `contact-added`, sent when an account has got its first number, or an address from an
 * operator.
 */
export interface ContactAddedFacts {
  /** A number unless set. */
  kind?: 'email' | 'phone'
  /** The address or number, already masked. */
  added: string
  /** When, in ISO 8601. */
  at: string
}

const languages = {
  en: {
    title: {
      email: 'This is now the email address of your account',
      phone: 'A phone number was added to your account',
    },
    lead: {
      email:
        'You can now sign in to your account with this address, and we send its messages here.',
      phone: 'You can now sign in to your account with codes that we send to this number.',
    },
    added: { email: 'Email address', phone: 'Number' },
    at: 'When',
    note: {
      email:
        'If you asked for it, you don’t need to do anything. If you don’t know this account, you can ignore this message.',
      phone:
        'If it was you, you don’t need to do anything. If not, another person is using your account. Reset your password on the sign-in page, sign out everywhere, and then replace this number with your own.',
    },
  },
  ko: {
    title: {
      email: '이 주소가 계정의 이메일 주소로 설정되었습니다',
      phone: '계정에 전화번호가 추가되었습니다',
    },
    lead: {
      email: '이제 이 주소로 회원님 계정에 로그인하고 메시지를 받을 수 있습니다.',
      phone: '이제 이 번호로 받은 인증 코드로 회원님 계정에 로그인할 수 있습니다.',
    },
    added: { email: '이메일 주소', phone: '전화번호' },
    at: '시각',
    note: {
      email:
        '직접 요청하셨다면 아무것도 하지 않으셔도 됩니다. 이런 계정을 모르신다면 이 메시지를 무시하셔도 됩니다.',
      phone:
        '직접 추가하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃하고, 본인의 번호로 바꿔 주세요.',
    },
  },
}

/** The account has a first number, or an address that an operator has set. */
export function contactAdded({ kind = 'phone', added, at }: ContactAddedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  const details: [string, string][] = [
    [words.added[kind], added],
    [words.at, moment(lang, at)],
  ]
  const { title, lead, note } = words
  return letter({ title: title[kind], lead: lead[kind], note: note[kind], lang, details })
}
