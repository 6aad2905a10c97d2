import { BadRequestError, directRequest, type SignRequest } from '@svc/core/client'
import type { ProxyCall } from './interceptor.ts'

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
  // Ours come last: nothing that a browser named stands beside them.
  for (const [name, value] of Object.entries(signed)) headers.set(name, value)
  return { url, ...request, headers }
}

/** Where a call goes and what it says, unsigned. */
export function prepareCall({ operation, input, headers }: ProxyCall, apiUrl: string) {
  return prepared(() => directRequest(apiUrl, { ...operation, input: { ...input, headers } }))
}

/** A path parameter that is missing, or that is none, is the caller's fault. */
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
    throw new BadRequestError({ message: 'A header has a name or a value that is not valid.' })
  }
}
