import { ServiceUnavailableError, type SignRequest } from '@svc/core/client'
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
  const request = await apiRequest(call, api)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMillis)
  // A browser that is gone ends the call at any time; the limit is for the answer to begin, however long it goes on.
  const signal = AbortSignal.any([call.request.signal, limit.signal])
  try {
    return kept(await fetch(request, { signal }))
  } catch (cause) {
    if (!call.request.signal.aborted) console.error('The API does not answer.', cause)
    throw new ServiceUnavailableError({ message: 'The API does not answer right now.', cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Node's fetch cancels the body of an answer that is garbage, though another has it by then: so it lives as long. */
const owners = new WeakMap<ReadableStream, Response>()

const keptHeaders = [
  'content-type',
  'retry-after',
  'location',
  'etag',
  'cache-control',
  'x-request-id',
]

function kept(answer: Response) {
  // A shared cache may keep an answer that does not say otherwise, and answers are one person's.
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const name of keptHeaders) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  if (answer.body) owners.set(answer.body, answer)
  return new Response(answer.body, { status: answer.status, headers })
}
