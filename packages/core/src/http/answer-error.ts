import { databaseFailure } from '../database/failures.ts'
import { HttpError } from '../errors/http-error.ts'
import { refusal } from '../request/envelope.ts'
import type { RawContext } from '../request/raw-context.ts'

type Asked = Pick<RawContext, 'requestId' | 'incoming' | 'server'> &
  Partial<Pick<RawContext, 'headers'>>

/** Turns whatever was thrown into an answer, and into a log line when it was nobody's rule. */
export function answerError(thrown: unknown, c: Asked) {
  const error = thrown instanceof HttpError ? thrown : (databaseFailure(thrown) ?? thrown)
  const { requestId, incoming } = c
  const challenge = c.headers?.['www-authenticate']?.toString()
  const answer = refusal(error, { requestId, accept: incoming.headers.accept, challenge })
  const { status } = answer
  const code = error instanceof HttpError ? error.name : 'Error'
  c.server.observer?.saw({ kind: 'refusal', code, status, request: incoming, requestId })
  const asked = { requestId, method: incoming.method, url: incoming.url, status }
  const entry = { err: thrown, ...asked }
  // For want of room, as a rule has it: they come in floods, so each is a line and has no stack.
  const isRefusal = thrown instanceof HttpError && status === 503 && thrown.cause === undefined
  if (isRefusal) c.server.log.warn({ refused: thrown.name, ...asked }, 'request refused')
  else if (status >= 500) c.server.log.error(entry, 'request failed')
  else if (error !== thrown) c.server.log.warn(entry, 'the database refused a request')
  return answer
}
