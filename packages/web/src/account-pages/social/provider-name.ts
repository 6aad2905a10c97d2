import type { Say } from '../words/say.ts'

const names = new Map([
  ['google', 'Google'],
  ['apple', 'Apple'],
  ['github', 'GitHub'],
  ['kakao', 'Kakao'],
  ['naver', 'Naver'],
])

/** What people call a provider. One that the app has registered itself is called by its id. */
export function providerName(id: string) {
  return names.get(id) ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}`.replaceAll('-', ' ')
}

/** Two or more in a sentence. */
export function providerNames(say: Say, ids: readonly string[]) {
  return new Intl.ListFormat(say.locale).format(ids.map(providerName))
}
