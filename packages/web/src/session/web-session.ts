import type { PortableKey } from '@svc/auth'

/**
 * The user who is signed in in a browser, and the key that signs for them. The browser
 * keeps it sealed.
 */
export interface WebSession extends PortableKey {
  userId: string
  /** The key is bound to a passkey: when it expires, it is renewed, instead of signing in again. */
  isBound?: true
  /** The session works in this browser only, and only together with a recent proof. */
  browser?: BoundBrowser
}

/** What a browser registered for a session (DBSC): the public half of a key that does not leave the device. */
export interface BoundBrowser {
  /** The browser's own id of the session. Proofs are for this id. */
  readonly sessionId: string
  readonly key: BrowserKey
}

export type BrowserKey =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
