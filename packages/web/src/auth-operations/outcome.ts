import type { Next, ProxyCall } from '../proxy/proxy.ts'
import type { OpenSession, WebSession } from '../session/session.ts'
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

/** The object that an answer holds; the answer itself can still be read. */
export async function jsonOf(answer: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await answer.clone().json()
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** The same answer with another body. */
export function withBody({ status, headers }: Response, body: object) {
  return Response.json(body, { status, headers: withoutLength(headers) })
}

function withoutLength(headers: Headers) {
  const kept = new Headers(headers)
  kept.delete('content-length')
  return kept
}

/** A call with members of its body that only the proxy gives. */
export function callWith(call: ProxyCall, ours: object): ProxyCall {
  return { ...call, input: { ...call.input, body: bodyWith(call.input.body, ours) } }
}

/** The body that a call sends to the API, with members that only the proxy gives. */
export function bodyWith(body: unknown, ours: object) {
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  return { ...given, ...ours }
}
