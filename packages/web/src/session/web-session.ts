import type { PortableKey } from '@svc/auth'
import type { BoundBrowser } from './bound-browser.ts'

/** Who is signed in in a browser, and the key that signs for them. The browser keeps it sealed. */
export interface WebSession extends PortableKey {
  userId: string
  /** The key is bound to a passkey: when it runs out it is renewed, instead of signing in again. */
  isBound?: true
  /** The session is good in this browser alone, and only together with a proof of it that is minutes old. */
  browser?: BoundBrowser
}
