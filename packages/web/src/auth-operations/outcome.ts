import type { Next, ProxyCall } from '../proxy/proxy.ts'
import type { OpenSession, WebSession } from '../session/session.ts'
import type { WebAuth } from '../web-auth.ts'

/** A call of an operation that affects the browser's session. */
export interface Turn {
  readonly web: WebAuth
  readonly call: ProxyCall
  /** The session that the request came with. */
  readonly opened: OpenSession | null
  readonly next: Next
}

/** The result. */
export interface Outcome {
  readonly answer: Response
  /** The session from now on: absent if it stays the same, null if it has ended. */
  readonly session?: WebSession | null
  /**
   * It was signed by another key than the session's, so a refusal says nothing about the session.
   */
  readonly isOfOtherKey?: true
  /** Further cookies to set or to clear. */
  readonly cookies?: readonly string[]
}

/** What the proxy does around an operation. */
export type Flow = (turn: Turn) => Promise<Outcome>

/** The JSON object of an answer. The answer itself can still be read. */
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
