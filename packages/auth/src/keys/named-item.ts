import type { LetIn } from '../capability/key-fields.ts'

interface Shown {
  deviceName: string | null
  platform: LetIn['platform'] | null
}

/** What a device is called in a list of what a key has let in. */
export function namedItem({ deviceName, platform }: Shown) {
  return {
    ...(deviceName !== null && { name: deviceName }),
    ...(platform !== null && platform !== undefined && { platform }),
  }
}
