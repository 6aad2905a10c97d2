/** Whom a stream is for, and by what: a key that is revoked ends its streams. */
export interface StreamGrant {
  readonly subject: string
  /** The account behind the subject, where that is another name. */
  readonly owner?: string
  /** What the request that asked for it was signed with. */
  readonly credential?: string
}

export interface StreamToken extends StreamGrant {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Where tokens wait to be used. */
export interface StreamTokenStore {
  set(token: string, data: StreamToken): Promise<void> | void
  /** Reads and deletes in one step; null when it is absent or has expired. */
  consume(token: string): Promise<StreamToken | null> | StreamToken | null
  /** Drops what has expired. */
  cleanup(): Promise<void> | void
}

/** What the documents call both of them: a token opens a WebSocket as well as a stream of events. */
export type SSEToken = StreamToken
export type SSETokenStore = StreamTokenStore

/** Issues one-time tokens and takes them back. */
export interface StreamTokens {
  issue(grant: StreamGrant): Promise<{ token: string }>
  /** Null when it was never issued, has been used, or has expired. */
  consume(token: string): Promise<StreamGrant | null>
}
