import {
  type HttpError,
  ServiceUnavailableError,
  type SignRequest,
  signAgainAheadMillis,
} from '@svc/core/client'
import { refusal } from '@svc/core/proxy'
import { answeredHeaders } from './forwarded-headers.ts'
import { apiRequest, type ProxyCall } from './interceptor.ts'
import { type ApiAnswer, type ApiRequest, LostConnectionError, send } from './send/send.ts'

interface Api {
  apiUrl: string
  timeoutMillis: number
  /** Signs as the web proxy. */
  vouch: SignRequest
}

/** Sends a call to the API, and keeps only the parts of its answer that a browser may see. */
export async function callApi(given: ProxyCall, api: Api) {
  const call = await withRawBody(given)
  const made = (nowMillis?: number) =>
    apiRequest(call, { ...api, ...(nowMillis !== undefined && { nowMillis }) })
  const reach: Reach = { ...api, caller: call.request, answered: answeredHeaders }
  // A call that only reads may be sent twice.
  if (call.operation.method === 'GET') reach.again = () => made()
  const answer = await reachApi(await made(), reach)
  const isToSignAgain = answer.status === 503 && answer.headers.get('retry-after') === '0'
  if (!call.sign || !isToSignAgain) return answer
  await answer.body?.cancel()
  // Retries as the typed client does. Only the proxy has the session's key.
  return reachApi(await made(Date.now() + signAgainAheadMillis), reach)
}

async function withRawBody(call: ProxyCall): Promise<ProxyCall> {
  return call.rawBody ? { ...call, input: { ...call.input, body: await call.rawBody() } } : call
}

interface Reach {
  apiUrl: string
  /** How long the answer may take to begin. */
  timeoutMillis: number
  /** Aborts the call when the caller is gone. */
  caller: Request
  /** The headers of the answer that the caller may see. */
  answered: readonly string[]
  /**
   * Makes a new request, if it may be sent again after its connection was lost. The API accepts a
   * signature only once.
   */
  again?: () => Promise<ApiRequest>
}

/** Sends a finished request to the API, and removes from the answer what the caller may not see. */
export async function reachApi(request: ApiRequest, reach: Reach): Promise<Response> {
  const { apiUrl, timeoutMillis, caller, answered, again } = reach
  const ending = new AbortController()
  const end = () => ending.abort()
  // The limit is for the beginning of the answer, not its length. If the browser is gone, the call ends at any time.
  const timer = setTimeout(end, timeoutMillis)
  if (caller.signal.aborted) end()
  caller.signal.addEventListener('abort', end, { once: true })
  try {
    return toCaller(await send(request, { signal: ending.signal, answered }))
  } catch (error) {
    // Each time takes a kept connection away, and a new one is not lost in this way.
    if (again && error instanceof LostConnectionError) return await reachApi(await again(), reach)
    const cause = reasonOf(error)
    if (!caller.signal.aborted) console.error(`The API at ${apiUrl} does not answer.`, cause)
    throw new ServiceUnavailableError({
      message: 'The API does not answer right now. Try again in a moment.',
      cause,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Only the words of the reason: the error may also hold a part of the answer, which may be a secret. */
function reasonOf(error: unknown) {
  const words: string[] = []
  for (let each = error; each instanceof Error; each = each.cause) {
    words.push(each.message || ('code' in each ? String(each.code) : each.name))
  }
  return words.join(': ')
}

function toCaller({ status, headers, cookies, body }: ApiAnswer) {
  const all = new Headers({
    // Without this header, a shared cache may store an answer, and answers are personal.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return new Response(body, { status, headers: all })
}

/** A refusal of the proxy's own, in the form that the API would have given to this browser. */
export function answerRefusal(error: HttpError, browser: Headers): Response {
  const requestId = crypto.randomUUID()
  const answer = refusal(error, { requestId, accept: browser.get('accept') ?? undefined })
  const headers = new Headers({
    'content-type': answer.contentType,
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    headers.set(name, String(value))
  }
  return new Response(answer.encode(), { status: answer.status, headers })
}
