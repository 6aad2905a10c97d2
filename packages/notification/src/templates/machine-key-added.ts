import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { day, moment } from './times.ts'

/** For `machine-key-added`, sent when a machine's key was added to an account. */
export interface MachineKeyAddedFacts {
  /** The name that it was given when it was added. */
  deviceName?: string | undefined
  /** The first characters of its key's fingerprint, as the list of devices shows them. */
  fingerprintPrefix: string
  /** When its key expires, in ISO 8601. */
  expiresAt: string
  /** When, in ISO 8601. */
  at: string
  /** The security page of the account. */
  url: string
}

const languages = {
  en: {
    title: 'A machine key was added to your account',
    lead: 'A program can now act in your name, with the permissions that were chosen for it.',
    deviceName: 'Name',
    fingerprint: 'Key begins with',
    expiresAt: 'Expires on',
    at: 'When',
    action: 'Open security settings',
    note: 'If it was you, you don’t need to do anything. If not, another person is using your account. Reset your password on the sign-in page, and then sign out everywhere. This also revokes the key.',
  },
  ko: {
    title: '계정에 프로그램용 키가 추가되었습니다',
    lead: '이제 프로그램이 선택된 권한으로 회원님을 대신해 작업할 수 있습니다.',
    deviceName: '이름',
    fingerprint: '키 앞자리',
    expiresAt: '만료일',
    at: '시각',
    action: '보안 설정 열기',
    note: '직접 추가하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃해 주세요. 그러면 이 키도 사용할 수 없게 됩니다.',
  },
}

/** A program can act for the account. */
export function machineKeyAdded(facts: MachineKeyAddedFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    details: [
      [words.deviceName, facts.deviceName],
      [words.fingerprint, `${facts.fingerprintPrefix}…`],
      [words.expiresAt, day(lang, facts.expiresAt)],
      [words.at, moment(lang, facts.at)],
    ],
    action: { label: words.action, url: facts.url },
  })
}
