import type { Next, ProxyCall } from '../proxy/interceptor.ts'
import type { WebSession } from '../session/web-session.ts'
import type { OpenSession } from '../session/web-sessions.ts'
import type { WebAuth } from '../web-auth.ts'

/** One call of an operation that has to do with the browser's session. */
export interface Turn {
  readonly web: WebAuth
  readonly call: ProxyCall
  /** Who was signed in when it came. */
  readonly opened: OpenSession | null
  readonly next: Next
}

/** What has come of it. */
export interface Outcome {
  readonly answer: Response
  /** The session from here on: absent where it stays as it is, null where it has ended. */
  readonly session?: WebSession | null
  /** Another key than the session's signed for it, so that a refusal says nothing of the session. */
  readonly isOfOtherKey?: true
  /** Further cookies to set or to clear. */
  readonly cookies?: readonly string[]
}

/** What the proxy does around an operation. */
export type Flow = (turn: Turn) => Promise<Outcome>
