import { ServiceUnavailableError, type SignRequest, signAgainAheadMillis } from '@svc/core/client'
import { apiRequest } from './api-request.ts'
import type { ProxyCall } from './interceptor.ts'

interface Api {
  apiUrl: string
  timeoutMillis: number
  /** Signs as the web proxy. */
  vouch: SignRequest
}

/** Sends a call to the API, and keeps of its answer what a browser may see. */
export async function callApi(call: ProxyCall, { timeoutMillis, ...api }: Api) {
  const first = await apiRequest(call, api)
  const ending = new AbortController()
  const end = () => ending.abort()
  // The limit is for the answer to begin, however long it goes on; a browser that is gone ends the call at any time.
  const timer = setTimeout(end, timeoutMillis)
  if (call.request.signal.aborted) end()
  call.request.signal.addEventListener('abort', end, { once: true })
  try {
    const send = ({ url, ...request }: typeof first) =>
      fetch(url, { ...request, signal: ending.signal })
    const answer = await send(first)
    const isToSignAgain = answer.status === 503 && answer.headers.get('retry-after') === '0'
    if (!call.sign || !isToSignAgain) return await kept(answer)
    await answer.body?.cancel()
    // As the typed client does: the proxy alone has the session's key.
    const nowMillis = Date.now() + signAgainAheadMillis
    return await kept(await send(await apiRequest(call, { ...api, nowMillis })))
  } catch (error) {
    const cause = reasonOf(error)
    if (!call.request.signal.aborted)
      console.error(`The API at ${api.apiUrl} does not answer.`, cause)
    throw new ServiceUnavailableError({ message: 'The API does not answer right now.', cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Why, in words: beside them a platform has what it read of an answer, which may be a secret. */
function reasonOf(error: unknown) {
  const words: string[] = []
  for (let each = error; each instanceof Error; each = each.cause) {
    words.push(each.message || ('code' in each ? String(each.code) : each.name))
  }
  return words.join(': ')
}

/** Node's fetch cancels the body of an answer that is garbage, though another has it by then: so it lives as long. */
const owners = new WeakMap<ReadableStream, Response>()

const keptHeaders = [
  'content-type',
  // What keeps a file of the API from being a page of this origin, and one reader's answer from another.
  'content-disposition',
  'content-security-policy',
  'vary',
  'retry-after',
  'location',
  'etag',
  'cache-control',
  'x-request-id',
]

async function kept(answer: Response) {
  // A shared cache may keep an answer that does not say otherwise, and answers are one person's.
  const headers = new Headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  for (const name of keptHeaders) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(await bodyOf(answer), { status: answer.status, headers })
}

// Most answers. Passing on a stream costs more than reading so much.
const shortBytes = 65_536

/** The bytes of what is short and says so; all else is passed on as it comes. */
async function bodyOf(answer: Response) {
  const { body, headers } = answer
  if (body === null) return null
  if (Number(headers.get('content-length') ?? Infinity) <= shortBytes) return answer.arrayBuffer()
  owners.set(body, answer)
  return body
}
