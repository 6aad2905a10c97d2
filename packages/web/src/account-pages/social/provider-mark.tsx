import { Icon } from '../ui/icon.tsx'
import type { Say } from '../words/say.ts'

// Our own drawings: a logo may be used only as its owner allows.
const drawings = new Map([
  ['google', 'M16.2 8.6A5.5 5.5 0 1 0 17.5 12H12.5'],
  [
    'github',
    'M8 8.5v7m0-7a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm0 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4Zm8-5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm0 0c0 3-3 3.5-8 5',
  ],
  [
    'kakao',
    'M12 5c-4.7 0-8.5 2.8-8.5 6.3 0 2.2 1.5 4.1 3.8 5.2L6.5 20l4-2.5 1.5.1c4.7 0 8.5-2.8 8.5-6.3S16.7 5 12 5Z',
  ],
  ['naver', 'M8 17V7l8 10V7'],
])

const anyOther = 'M13 5h5v14h-5M5 12h9m-3-3 3 3-3 3'

/** A small sign of a provider: it makes a list quick to read. */
export function ProviderMark({ id }: { id: string }) {
  return <Icon path={drawings.get(id) ?? anyOther} />
}

const names = new Map([
  ['google', 'Google'],
  ['apple', 'Apple'],
  ['github', 'GitHub'],
  ['kakao', 'Kakao'],
  ['naver', 'Naver'],
])

/**
 * The usual name of a provider. A provider that the app has registered itself has its id as name.
 */
export function providerName(id: string) {
  return names.get(id) ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}`.replaceAll('-', ' ')
}

/** Two or more in a sentence. */
export function providerNames(say: Say, ids: readonly string[]) {
  return new Intl.ListFormat(say.locale).format(ids.map(providerName))
}
