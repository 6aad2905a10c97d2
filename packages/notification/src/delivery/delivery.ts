import { consoleTransport } from './console.ts'
import type { LocalUrl } from './delivery-url.ts'
import { fileTransport } from './file.ts'
import type { Transport } from './message.ts'

export { credentialsOf, isLoopback, type LocalUrl, localUrl } from './delivery-url.ts'
export type { Channel, Message, Transport } from './message.ts'
export { isMailAddress, isRecipient, redactedRecipient } from './recipient.ts'

/** Null if messages are dropped. */
export function localTransport(url: LocalUrl): Transport | null {
  if (url.to === 'none') return null
  return url.to === 'console' ? consoleTransport : fileTransport(url.directory)
}
