import type { WaitingDevice } from '@svc/web/react'

const words = {
  ios: 'iPhone or iPad',
  android: 'Android',
  web: 'Web browser',
  desktop: 'Desktop app',
}

/** What a device says that it runs on. */
export function platformWords(platform: WaitingDevice['platform']) {
  // A newer API may know a platform that this page does not.
  return (platform && words[platform]) || 'Unknown'
}
