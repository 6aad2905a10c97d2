import type { WaitingDevice } from '../../account/use-device-approval.ts'
import type { Say } from '../words/say.ts'

const words = {
  ios: 'iPhone or iPad',
  android: 'Android',
  web: 'Web browser',
  desktop: 'Desktop app',
} as const

/** What a device says that it runs on. */
export function platformWords(say: Say, platform: WaitingDevice['platform']) {
  // A newer API may know a platform that this page does not.
  const known = platform && words[platform]
  return known ? say(known) : say('Unknown')
}
