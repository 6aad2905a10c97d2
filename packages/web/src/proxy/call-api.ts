import {
  type HttpError,
  ServiceUnavailableError,
  type SignRequest,
  signAgainAheadMillis,
} from '@svc/core/client'
import { refusal } from '@svc/core/proxy'
import { answeredHeaders, picked } from './forwarded-headers.ts'
import { apiRequest, type ProxyCall } from './interceptor.ts'

interface Api {
  apiUrl: string
  timeoutMillis: number
  /** Signs as the web proxy. */
  vouch: SignRequest
}

/** Sends a call to the API, and keeps of its answer what a browser may see. */
export async function callApi(given: ProxyCall, api: Api) {
  const call = await withRawBody(given)
  const reach = { ...api, caller: call.request, answered: answeredHeaders }
  const answer = await reachApi(await apiRequest(call, api), reach)
  const isToSignAgain = answer.status === 503 && answer.headers.get('retry-after') === '0'
  if (!call.sign || !isToSignAgain) return answer
  await answer.body?.cancel()
  // As the typed client does. Only the proxy has the session's key.
  const nowMillis = Date.now() + signAgainAheadMillis
  return reachApi(await apiRequest(call, { ...api, nowMillis }), reach)
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
}

/** Sends a finished request to the API, and removes from the answer what the caller may not see. */
export async function reachApi(
  { url, ...request }: RequestInit & { url: string },
  { apiUrl, timeoutMillis, caller, answered }: Reach,
) {
  const ending = new AbortController()
  const end = () => ending.abort()
  // The limit is for the beginning of the answer, not its length. If the browser is gone, the call ends at any time.
  const timer = setTimeout(end, timeoutMillis)
  if (caller.signal.aborted) end()
  caller.signal.addEventListener('abort', end, { once: true })
  try {
    const sent = fetch(url, { ...request, redirect: 'manual', signal: ending.signal })
    return await kept(await sent, answered)
  } catch (error) {
    const cause = reasonOf(error)
    if (!caller.signal.aborted) console.error(`The API at ${apiUrl} does not answer.`, cause)
    throw new ServiceUnavailableError({ message: 'The API does not answer right now.', cause })
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

/** Node's fetch cancels the body of an answer that is garbage, though another has it by then: so it lives as long. */
const owners = new WeakMap<ReadableStream, Response>()

async function kept(answer: Response, names: readonly string[]) {
  // Without this header, a shared cache may store an answer, and answers are personal.
  const headers = new Headers({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...picked(answer.headers, names),
  })
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(await bodyOf(answer), { status: answer.status, headers })
}

// Most answers are short. Passing on a stream costs more than reading them.
const shortBytes = 65_536

/** The bytes of an answer with a short `Content-Length`; other answers are passed on as a stream. */
async function bodyOf(answer: Response) {
  const { body, headers } = answer
  if (body === null) return null
  if (Number(headers.get('content-length') ?? Infinity) <= shortBytes) return answer.arrayBuffer()
  owners.set(body, answer)
  return body
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
