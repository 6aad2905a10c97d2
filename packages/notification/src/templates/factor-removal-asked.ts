import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/**
 * For `factor-removal-asked`, sent when an operator is going to remove the second factor, with a
 * link that keeps it.
 */
export interface FactorRemovalAskedFacts {
  /** The page that keeps the second step, with its token. */
  url: string
  /** When it will be removed, in ISO 8601. */
  removesAt: string
}

const languages = {
  en: {
    title: 'A second step of your sign-in will be removed',
    lead: 'Support received a request to remove it, because it was lost. Until it is removed, sign-in asks for it as before.',
    removesAt: 'Removed at',
    action: 'Keep it',
    note: 'If you asked for it, you don’t need to do anything. If not, another person asked in your name: keep your second step now, and then change your password.',
  },
  ko: {
    title: '로그인의 2단계 인증이 삭제될 예정입니다',
    lead: '2단계 인증을 잃어버렸다는 요청이 고객 지원에 접수되었습니다. 그때까지는 이전처럼 인증을 요구합니다.',
    removesAt: '삭제 시각',
    action: '삭제하지 않기',
    note: '직접 요청하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 회원님의 이름으로 요청한 것입니다. 지금 2단계 인증을 유지하고 비밀번호를 변경해 주세요.',
  },
}

/** The person who asks support may be an attacker: the owner can keep the factor. */
export function factorRemovalAsked({ url, removesAt }: FactorRemovalAskedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    details: [[words.removesAt, moment(lang, removesAt)]],
    action: { label: words.action, url },
  })
}
