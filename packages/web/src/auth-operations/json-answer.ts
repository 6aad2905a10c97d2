import type { ProxyCall } from '../proxy/interceptor.ts'

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
