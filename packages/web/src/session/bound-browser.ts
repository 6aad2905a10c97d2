/** What a browser registered for a session (DBSC): the public half of a key that does not leave the device. */
export interface BoundBrowser {
  /** What the browser calls the session, and what its proofs are for. */
  readonly sessionId: string
  readonly key: BrowserKey
}

export type BrowserKey =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
