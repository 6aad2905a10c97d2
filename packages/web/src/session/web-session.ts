import type { PortableKey } from '@svc/auth'

/** Who is signed in in a browser, and the key that signs for them. The browser keeps it sealed. */
export interface WebSession extends PortableKey {
  userId: string
  /** The key is bound to a passkey: when it runs out it is renewed, instead of signing in again. */
  isBound?: true
  /** The session is good in this browser alone, and only together with a proof of it that is minutes old. */
  browser?: BoundBrowser
}

/** What a browser registered for a session (DBSC): the public half of a key that does not leave the device. */
export interface BoundBrowser {
  /** What the browser calls the session, and what its proofs are for. */
  readonly sessionId: string
  readonly key: BrowserKey
}

export type BrowserKey =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
