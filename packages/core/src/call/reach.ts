import type { HttpError } from '../errors/errors.ts'
import type { PreparedRequest } from './proxied-request.ts'
import { ApiUnreachableError } from './unknown-error.ts'

interface Reaching {
  signal: AbortSignal | undefined
  timeoutMillis?: number | undefined
  fetch?: typeof fetch | undefined
}

type ErrorOf = (answer: Response, body: unknown) => HttpError

/** Sends a request, and resolves to the body of its answer. A refusal is thrown as `errorOf` makes it. */
export async function reach(request: PreparedRequest, how: Reaching, errorOf: ErrorOf) {
  const answer = await answerTo(request, how)
  const body = await readJson(answer)
  if (!answer.ok && answer.status !== 304) throw errorOf(answer, body)
  return body
}

/**
 * A network failure or a server that is down is an error of its own, never a refusal of the API.
 */
async function answerTo({ url, ...request }: PreparedRequest, how: Reaching) {
  const { signal, timeoutMillis = 30_000, fetch: fetchOf = fetch } = how
  const limit = AbortSignal.timeout(timeoutMillis)
  try {
    return await fetchOf(url, {
      ...request,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiUnreachableError({
      message: 'The API cannot be reached. Try again.',
      cause: error,
    })
  }
}

/** Undefined for an answer without a body, or with one that is no JSON. */
async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
