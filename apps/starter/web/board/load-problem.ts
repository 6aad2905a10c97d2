import { HttpError } from '@svc/core/client'

export type LoadProblem = 'no answer' | 'error'

/** Whether the API is away, or there and in trouble. */
export function loadProblem(error: unknown): LoadProblem {
  // 503 is also what the proxy and the client say in its place.
  return error instanceof HttpError && error.status !== 503 ? 'error' : 'no answer'
}
