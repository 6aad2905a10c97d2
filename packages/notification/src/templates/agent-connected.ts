import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { moment } from './times.ts'

/** For `agent-connected`, sent when an agent has got its first tokens. */
export interface AgentConnectedFacts {
  /** What the client calls itself. */
  clientName: string
  /** Where its answers go: a host, or the scheme of an app with its colon. None if it showed a code. */
  host?: string
  /** The host of the identity provider that allowed it. None if the owner of the account did. */
  allowedBy?: string
  /** The host of the document that describes it, if it has one. No program elsewhere can have the same. */
  identifiedBy?: string
  /** What it may do, in the words of the consent page. */
  scopes: string
  /** When, in ISO 8601. */
  at: string
  /** The page that lists the agents of the account. */
  url: string
}

const languages = {
  en: {
    title: 'An agent was connected to your account',
    lead: 'A program that you allowed can now act in your name. It does not know your password.',
    clientName: 'It calls itself',
    host: 'It redirects to',
    allowedBy: 'Allowed by',
    identifiedBy: 'It is identified by',
    scopes: 'It may',
    at: 'When',
    action: 'Open connected agents',
    leadOfCompany:
      'A program that your company allowed can now act in your name. It does not know your password.',
    noteOfCompany:
      'If you expected it, you don’t need to do anything. If not, disconnect it on the connected agents page, and ask your company about it: your company can connect it again.',
    note: 'If it was you, you don’t need to do anything. If not, another person is using your account. Disconnect the agent on the connected agents page. Reset your password on the sign-in page, and then sign out everywhere.',
  },
  ko: {
    title: '계정에 에이전트가 연결되었습니다',
    lead: '이제 허용하신 프로그램이 회원님을 대신해 작업할 수 있습니다. 비밀번호는 전달되지 않았습니다.',
    clientName: '프로그램 이름',
    host: '연결 주소',
    allowedBy: '허용한 곳',
    identifiedBy: '프로그램의 식별 주소',
    scopes: '허용된 작업',
    at: '시각',
    action: '연결된 에이전트 열기',
    leadOfCompany:
      '이제 회사에서 허용한 프로그램이 회원님을 대신해 작업할 수 있습니다. 비밀번호는 전달되지 않았습니다.',
    noteOfCompany:
      '알고 계신 프로그램이라면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 연결된 에이전트 페이지에서 연결을 해제하고 회사에 문의해 주세요. 회사에서 다시 연결할 수 있습니다.',
    note: '직접 허용하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 연결된 에이전트 페이지에서 연결을 해제하고, 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃해 주세요.',
  },
}

/** A program acts for the account, by its owner's consent. */
export function agentConnected(facts: AgentConnectedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  const isOfCompany = facts.allowedBy !== undefined
  return letter({
    ...words,
    ...(isOfCompany && { lead: words.leadOfCompany, note: words.noteOfCompany }),
    lang,
    details: [
      [words.clientName, facts.clientName],
      ...optional(words.host, facts.host),
      ...optional(words.identifiedBy, facts.identifiedBy),
      ...optional(words.allowedBy, facts.allowedBy),
      [words.scopes, facts.scopes],
      [words.at, moment(lang, facts.at)],
    ],
    action: { label: words.action, url: facts.url },
  })
}

const optional = (name: string, value: string | undefined) =>
  value === undefined ? [] : [[name, value] as const]
