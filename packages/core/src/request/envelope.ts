import { HttpError } from '../errors/errors.ts'
import { messageOf, wordsOf } from '../errors/server.ts'
import { Answer, type AnswerHeaders, TextAnswer } from './answer.ts'

/** An error as it is sent. `__type` and `error.code` are the class's name. */
export interface ErrorEnvelope {
  __type: string
  message: string
  error: { code: string; message: string; requestId: string }
  [publicField: string]: unknown
}

interface Asked {
  requestId: string
  /** The request's `Accept` header. */
  accept?: string | undefined
  /** The challenge of a 401, if its route has one. */
  challenge?: string | undefined
}

/**
 * The answer of a failed request: the body of decisions 1, or the same facts in the form of RFC
 * 9457.
 */
export function refusal(error: unknown, { requestId, accept, challenge }: Asked): Answer {
  const { status, code, message, fields } = facts(error)
  const isUnauthorized = status === 401 && error instanceof HttpError
  const headers = {
    ...headersOf(fields),
    ...(isUnauthorized && { 'www-authenticate': challenge ?? error.authScheme }),
  }
  const prescribed = error instanceof HttpError ? error.wireBody(requestId) : undefined
  if (prescribed) return new Answer(status, prescribed, headers)
  if (accept?.includes('application/problem+json')) {
    const problem = { type: 'about:blank', title: wordsOf(code) || code, status, detail: message }
    const text = JSON.stringify({ ...fields, ...problem, code, requestId })
    return new TextAnswer(status, text, 'application/problem+json', headers)
  }
  const body = { ...fields, __type: code, message, error: { code, message, requestId } }
  return new Answer(status, body, headers)
}

/**
 * An error that isn't a refusal is a bug. It answers 500 without details, and the log has the
 * cause.
 */
function facts(error: unknown) {
  if (error instanceof HttpError) {
    const { status, name: code, publicFields: fields } = error
    return { status, code, message: messageOf(error), fields }
  }
  return { status: 500, code: 'Error', message: 'Internal Server Error', fields: {} }
}

function headersOf(fields: { retryAfter?: unknown; allow?: unknown }): AnswerHeaders {
  const { retryAfter, allow } = fields
  return {
    ...(typeof retryAfter === 'number' && { 'retry-after': String(Math.ceil(retryAfter)) }),
    ...(Array.isArray(allow) && { allow: allow.join(', ') }),
  }
}
