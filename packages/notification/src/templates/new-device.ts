import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { socialNameIn, socialNames } from './social-names.ts'
import { moment } from './times.ts'

/** For `new-device`, sent when a device signs in to an account for the first time. */
export interface NewDeviceFacts {
  /** The name that the device has given itself, which proves nothing. Neither does its platform. */
  deviceName?: string | undefined
  platform?: string | undefined
  /** How it signed in, with the words of `auth.login`. */
  provider?: string | undefined
  /** The first characters of its key's fingerprint, as the list of devices shows them. */
  fingerprintPrefix: string
  /** When, in ISO 8601. */
  at: string
  address?: string | undefined
}

const languages = {
  en: {
    title: 'A new device signed in to your account',
    lead: 'A device that was not used with your account before has signed in to it.',
    at: 'When',
    provider: 'Signed in with',
    providers: socialNames.en,
    deviceName: 'Calls itself',
    platform: 'Kind of device',
    platforms: {
      web: 'Web browser',
      ios: 'iPhone or iPad',
      android: 'Android',
      desktop: 'Computer',
    },
    address: 'IP address',
    fingerprint: 'Key begins with',
    note: 'If it was you, you don’t need to do anything. If not, change your password now. Then sign this device out in your list of devices, or sign out everywhere.',
    notePasskey:
      'If it was you, you don’t need to do anything. If not, sign this device out and remove the passkey in your account’s settings. If another person may know your password, change it too.',
    noteSocial:
      'If it was you, you don’t need to do anything. If not, secure your account with that provider first. Then sign this device out in your list of devices, or sign out everywhere.',
    noteOther:
      'If it was you, you don’t need to do anything. If not, secure what was used to sign in first. Then sign this device out in your list of devices, or sign out everywhere.',
  },
  ko: {
    title: '새 기기에서 로그인했습니다',
    lead: '이전에 사용한 적이 없는 기기에서 회원님의 계정에 로그인했습니다.',
    at: '시각',
    provider: '로그인 방법',
    providers: socialNames.ko,
    deviceName: '기기 이름',
    platform: '기기 종류',
    platforms: {
      web: '웹 브라우저',
      ios: 'iPhone 또는 iPad',
      android: 'Android',
      desktop: '컴퓨터',
    },
    address: '접속 주소',
    fingerprint: '키 앞자리',
    note: '직접 로그인하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 지금 비밀번호를 변경하고 계정의 기기 목록에서 이 기기를 로그아웃하거나 모든 기기에서 로그아웃해 주세요.',
    notePasskey:
      '직접 로그인하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 계정 설정에서 이 기기를 로그아웃하고 패스키를 삭제해 주세요. 다른 사람이 비밀번호를 알고 있을 수 있다면 비밀번호도 변경해 주세요.',
    noteSocial:
      '직접 로그인하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 먼저 해당 서비스의 계정을 안전하게 보호한 뒤, 계정의 기기 목록에서 이 기기를 로그아웃하거나 모든 기기에서 로그아웃해 주세요.',
    noteOther:
      '직접 로그인하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 먼저 로그인에 사용된 수단을 안전하게 보호한 뒤, 계정의 기기 목록에서 이 기기를 로그아웃하거나 모든 기기에서 로그아웃해 주세요.',
  },
}

/** A key that the account had not seen was used to sign in. */
export function newDevice(facts: NewDeviceFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({
    ...words,
    lang,
    note: noteIn(words, facts.provider),
    details: [
      [words.at, moment(lang, facts.at)],
      [words.provider, socialOf(words.providers, facts.provider)],
      [words.deviceName, facts.deviceName],
      [words.platform, platformIn(words.platforms, facts.platform)],
      [words.address, facts.address],
      [words.fingerprint, `${facts.fingerprintPrefix}…`],
    ],
  })
}

const ours = new Set(['email', 'phone', 'device', 'passkey'])

/** The advice for an owner who was not at this device depends on how it signed in. */
function noteIn(words: (typeof languages)['en'], provider = 'email') {
  if (provider === 'passkey') return words.notePasskey
  if (ours.has(provider)) return words.note
  return Object.hasOwn(words.providers, provider) ? words.noteSocial : words.noteOther
}

function socialOf(names: Record<string, string>, provider = 'email') {
  return ours.has(provider) ? undefined : socialNameIn(names, provider)
}

/** The platform's name in this language, if there is one. */
function platformIn(platforms: Record<string, string>, platform: string | undefined) {
  return platform && Object.hasOwn(platforms, platform) ? platforms[platform] : platform
}
