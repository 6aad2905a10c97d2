import { HttpError, messageOf, wordsOf } from '../errors/errors.ts'
import { Answer, type AnswerHeaders, TextAnswer } from './answer.ts'

/** The wire's form of an error. `__type` and `error.code` are the class's name. */
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
  /** The challenge of a 401, where its route has one to tell. */
  challenge?: string | undefined
}

/** What a failed request answers: the body of decisions 1, or the same facts as RFC 9457 asks for them. */
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

/** Whatever is not a refusal is a bug: it answers 500 and says nothing of itself; the log has the cause. */
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
