import { type HttpError, refusal } from '@svc/core/client'

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
