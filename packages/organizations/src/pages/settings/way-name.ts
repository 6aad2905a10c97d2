import type { useOrganizationSay } from '../provider/organization-provider.tsx'

const words: readonly string[] = ['password', 'code', 'email', 'passkey']

const providers = new Map([
  ['google', 'Google'],
  ['apple', 'Apple'],
  ['github', 'GitHub'],
  ['kakao', 'Kakao'],
  ['naver', 'Naver'],
])

/** What a way to sign in is called. A provider that the app has registered itself has its id as name. */
export const wayName = (say: ReturnType<typeof useOrganizationSay>, way: string) =>
  words.includes(way) ? say.fromApi(way) : (providers.get(way) ?? way)
