import { BadRequestError, directRequest } from '@svc/core/client'
import type { ProxyCall } from './interceptor.ts'

/** The request to the API that the typed client would send for this call. */
export function apiRequest({ operation, input, headers }: ProxyCall, apiUrl: string) {
  const { url, ...init } = prepared(() => {
    return directRequest(apiUrl, { ...operation, input: { ...input, headers } })
  })
  return new Request(url, { ...init, headers: checked(init.headers), redirect: 'manual' })
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
