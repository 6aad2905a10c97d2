import { type SignRequest, signAgainAheadMillis } from '@svc/core/client'
import { apiRequest } from './api-request.ts'
import { answeredHeaders } from './forwarded-headers.ts'
import type { ProxyCall } from './interceptor.ts'
import { reachApi } from './reach-api.ts'

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
