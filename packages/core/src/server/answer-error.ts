import { databaseFailure } from '../database/failures.ts'
import { refusal } from '../errors/envelope.ts'
import { HttpError } from '../errors/http-error.ts'
import type { RawContext } from '../request/raw-context.ts'

/** Turns whatever was thrown into an answer, and into a log line when it was nobody's rule. */
export function answerError(thrown: unknown, c: RawContext) {
  const error = thrown instanceof HttpError ? thrown : (databaseFailure(thrown) ?? thrown)
  const { requestId, incoming } = c
  const answer = refusal(error, { requestId, accept: incoming.headers.accept })
  const { status } = answer
  const entry = { err: thrown, requestId, method: incoming.method, url: incoming.url, status }
  if (status >= 500) c.server.log.error(entry, 'request failed')
  else if (error !== thrown) c.server.log.warn(entry, 'the database refused a request')
  return answer
}
