import type { CallInput, RawBody, RouteMap, SignRequest } from '@svc/core/client'

/** One call on its way from the browser to the API. */
export interface ProxyCall {
  /** What the browser sent. Its body has been read, unless there is a `rawBody`. */
  readonly request: Request
  readonly name: string
  readonly operation: RouteMap[string]
  readonly input: Omit<CallInput, 'headers'>
  /** Reads the body if it isn't JSON. Only a call that is let through asks for it. */
  readonly rawBody?: () => Promise<RawBody>
  /** What is sent to the API, in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  /** Signs the finished request, where somebody is signed in. */
  readonly sign?: SignRequest
}

export type Next = (call: ProxyCall) => Promise<Response>

/** Runs around a call: it may pass on another call, change the answer, or answer itself. */
export type Interceptor = (call: ProxyCall, next: Next) => Promise<Response>

/** The first of the list is the outermost. */
export function intercept(interceptors: readonly Interceptor[], last: Next): Next {
  return interceptors.reduceRight<Next>((next, run) => (call) => run(call, next), last)
}
