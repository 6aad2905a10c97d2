import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/** For `support-opened`, sent when an operator has opened a support session in the account. */
export interface SupportOpenedFacts {
  /** The name that the operator has given. */
  operator?: string | undefined
  /** Why, in the operator's words. */
  reason: string
  /** When the session expires, in ISO 8601. */
  expiresAt: string
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const opened = {
  en: {
    title: 'Support opened a session in your account',
    lead: 'A member of the support team can now use your account as you do. They can’t change how you sign in, and can’t delete or export the account.',
    operator: 'Who',
    reason: 'Why',
    expiresAt: 'Ends at',
    at: 'When',
    action: 'Open security settings',
    note: 'If you asked for help, you don’t need to do anything. If not, end the session in your list of devices.',
  },
  ko: {
    title: '고객 지원 담당자가 회원님의 계정에 접속했습니다',
    lead: '이제 고객 지원 담당자가 회원님의 계정을 대신 사용할 수 있습니다. 로그인 수단을 변경하거나 계정을 삭제하거나 내보낼 수는 없습니다.',
    operator: '담당자',
    reason: '사유',
    expiresAt: '종료 시각',
    at: '시각',
    action: '보안 설정 열기',
    note: '도움을 요청하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 기기 목록에서 이 접속을 종료해 주세요.',
  },
}

/** An operator can act as the owner of the account. */
export function supportOpened(facts: SupportOpenedFacts, locale: string) {
  const { lang, words } = pickByLocale(opened, locale)
  return letter({
    ...words,
    lang,
    details: [
      [words.operator, facts.operator],
      [words.reason, facts.reason],
      [words.expiresAt, moment(lang, facts.expiresAt)],
      [words.at, moment(lang, facts.at)],
    ],
    action: { label: words.action, url: facts.url },
  })
}

/** For `support-ended`, sent when a support session in the account has ended. */
export interface SupportEndedFacts {
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const ended = {
  en: {
    title: 'The support session in your account has ended',
    lead: 'The member of the support team can no longer use your account.',
    at: 'When',
    action: 'Open security settings',
    note: 'You don’t need to do anything.',
  },
  ko: {
    title: '고객 지원 담당자의 계정 접속이 종료되었습니다',
    lead: '고객 지원 담당자는 더 이상 회원님의 계정을 사용할 수 없습니다.',
    at: '시각',
    action: '보안 설정 열기',
    note: '아무것도 하지 않으셔도 됩니다.',
  },
}

/** A support session has ended. */
export function supportEnded(facts: SupportEndedFacts, locale: string) {
  const { lang, words } = pickByLocale(ended, locale)
  return letter({
    ...words,
    lang,
    details: [[words.at, moment(lang, facts.at)]],
    action: { label: words.action, url: facts.url },
  })
}
