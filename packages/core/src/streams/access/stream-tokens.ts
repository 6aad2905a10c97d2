/**
 * The subject of a stream, and the credential that opened it: a key that is revoked ends its
 * streams.
 */
export interface StreamGrant {
  readonly subject: string
  /** The account of the subject, if that has another name. */
  readonly owner?: string
  /** The credential that the request for it was signed with. */
  readonly credential?: string
}

/** A one-time token as a store keeps it, and what its stream may get. */
export interface StreamToken extends StreamGrant {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Stores tokens until they are used. */
export interface StreamTokenStore {
  set(token: string, data: StreamToken): Promise<void> | void
  /** Reads and deletes in one step; null if it is absent or has expired. */
  consume(token: string): Promise<StreamToken | null> | StreamToken | null
  /** Deletes expired tokens. */
  cleanup(): Promise<void> | void
}

/** The documents use this name for both: a token opens a WebSocket as well as an event stream. */
export type SSEToken = StreamToken
/** Another name of `StreamTokenStore`, as with `SSEToken`. */
export type SSETokenStore = StreamTokenStore

/** Issues one-time tokens, and accepts each once. */
export interface StreamTokens {
  issue(grant: StreamGrant): Promise<{ token: string }>
  /** Null if it was never issued, has been used, or has expired. */
  consume(token: string): Promise<StreamGrant | null>
}
