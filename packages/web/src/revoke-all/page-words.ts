import { chooseLanguage, languagesAskedFor } from '../page/client.ts'

/** A page that the application draws has these titles. */
export const english = {
  lang: 'en',
  // The day comes first.
  dateLocale: 'en-GB',
  titles: {
    confirm: 'Sign out everywhere',
    done: 'Signed out everywhere',
    invalid: 'Link does not work',
    unavailable: 'Not right now',
  },
  question: 'Sign out everywhere?',
  signedIn: (count: number) =>
    `${devices(count, 'is', 'are')} signed in to your account. ${again(count)}`.trimEnd(),
  password: 'Your password stays as it is.',
  button: 'Sign out everywhere',
  untilBefore: 'The link works once, until ',
  untilAfter: '. To keep your devices signed in, close the page. Nothing has changed.',
  done: 'Signed out everywhere',
  signedOut: (count: number) => `${devices(count, 'was', 'were')} signed out.`,
  advice: 'If someone else may know your password, choose another one when you sign in again.',
  invalid: 'This link does not work',
  reason:
    'It may have expired, been used before, or been replaced by a newer one. Request another link, or sign out your other devices from one that is signed in.',
  start: 'Go to the start page',
  unavailable: 'This does not work right now',
  later: 'We could not reach the service. Your link still works. Try again in a minute.',
  retry: 'Try again',
}

function devices(count: number, one: string, many: string) {
  if (count === 0) return `No device ${one}`
  return count === 1 ? `One device ${one}` : `${count} devices ${many}`
}

function again(count: number) {
  if (count === 0) return ''
  return count === 1 ? 'It must sign in again.' : 'They must sign in again.'
}

export type PageWords = typeof english

const korean: PageWords = {
  lang: 'ko',
  dateLocale: 'ko',
  titles: {
    confirm: '모든 곳에서 로그아웃',
    done: '모든 곳에서 로그아웃되었습니다',
    invalid: '쓸 수 없는 링크',
    unavailable: '지금은 사용할 수 없음',
  },
  question: '모든 곳에서 로그아웃할까요?',
  signedIn: (count) =>
    count === 0
      ? '회원님의 계정에 로그인되어 있는 기기가 없습니다.'
      : `회원님의 계정에 기기 ${count}대가 로그인되어 있습니다. 계속 사용하려면 다시 로그인해야 합니다.`,
  password: '비밀번호는 그대로 유지됩니다.',
  button: '모든 곳에서 로그아웃',
  untilBefore: '링크는 한 번만 쓸 수 있습니다. 유효 기한: ',
  untilAfter: '. 로그인을 유지하려면 이 페이지를 닫으세요. 아직 바뀐 것은 없습니다.',
  done: '모든 곳에서 로그아웃되었습니다',
  signedOut: (count) =>
    count === 0 ? '로그인되어 있던 기기가 없었습니다.' : `기기 ${count}대에서 로그아웃되었습니다.`,
  advice: '다른 사람이 비밀번호를 알고 있을 수 있다면 다시 로그인할 때 새 비밀번호를 정하세요.',
  invalid: '이 링크는 쓸 수 없습니다',
  reason:
    '만료되었거나 이미 사용했거나 더 새로운 링크가 있습니다. 링크를 다시 요청하거나, 로그인되어 있는 기기에서 다른 기기를 로그아웃하세요.',
  start: '시작 페이지로 이동',
  unavailable: '지금은 사용할 수 없습니다',
  later: '서비스에 연결하지 못했습니다. 링크는 아직 쓸 수 있습니다. 1분 후에 다시 시도하세요.',
  retry: '다시 시도',
}

const languages: Readonly<Record<string, PageWords>> = { en: english, ko: korean }

/** The words of the page in the language of the browser: the page knows no account. */
export function wordsFor({ headers }: Request) {
  const wanted = languagesAskedFor(headers.get('accept-language'))
  return languages[chooseLanguage(wanted, Object.keys(languages))] ?? english
}
