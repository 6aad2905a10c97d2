import {
  BadRequestError,
  type CallInput,
  directRequest,
  type RawBody,
  type RouteMap,
  type SignRequest,
} from '@svc/core/client'

/** One call on its way from the browser to the API. */
export interface ProxyCall {
  /** What the browser sent. Its body has been read, unless there is a `rawBody`. */
  readonly request: Request
  readonly name: string
  readonly operation: RouteMap[string]
  readonly input: Omit<CallInput, 'headers'>
  /** Reads the body if it isn't JSON. It is read only for a call that is accepted. */
  readonly rawBody?: () => Promise<RawBody>
  /** The headers for the API, in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  /** Signs the finished request, if a user is signed in. */
  readonly sign?: SignRequest
}

export type Next = (call: ProxyCall) => Promise<Response>

/** Runs around a call: it may pass on another call, change the answer, or answer itself. */
export type Interceptor = (call: ProxyCall, next: Next) => Promise<Response>

/** The first of the list is the outermost. */
export function intercept(interceptors: readonly Interceptor[], last: Next): Next {
  return interceptors.reduceRight<Next>((next, run) => (call) => run(call, next), last)
}

interface Api {
  apiUrl: string
  vouch: SignRequest
  /** The signing time of the call; now unless set. */
  nowMillis?: number
}

/** The request to the API that the typed client would send for this call. */
export async function apiRequest(call: ProxyCall, { apiUrl, vouch, nowMillis }: Api) {
  const { url, ...request } = prepareCall(call, apiUrl)
  const headers = checked(request.headers)
  const toSign = { url, method: request.method, body: request.body ?? '' }
  const signed = {
    ...(await call.sign?.({ ...toSign, ...(nowMillis !== undefined && { nowMillis }) })),
    ...(await vouch(toSign)),
  }
  // Ours come last, so that they replace a browser's headers of the same names.
  for (const [name, value] of Object.entries(signed)) headers.set(name, value)
  return { url, ...request, headers }
}

/** Where a call goes and what it says, unsigned. */
export function prepareCall({ operation, input, headers }: ProxyCall, apiUrl: string) {
  return prepared(() => directRequest(apiUrl, { ...operation, input: { ...input, headers } }))
}

/** A path parameter that is missing or invalid is the caller's fault. */
function prepared<Value>(prepare: () => Value) {
  try {
    return prepare()
  } catch (error) {
    throw new BadRequestError({ message: (error as Error).message })
  }
}

function checked(headers: Record<string, string>) {
  try {
    return new Headers(headers)
  } catch {
    // The platform's message quotes the value.
    throw new BadRequestError({ message: 'The name or the value of a header is not valid.' })
  }
}
