import { type ErrorFacts, HttpError } from '../errors/errors.ts'

/**
 * There was no answer: the network or the server is down, or the time was up. It is unknown whether
 * the call took effect.
 */
export class ApiUnreachableError extends HttpError {
  readonly name = 'ApiUnreachableError'
  readonly status = 503
}

/** An error whose class this client does not know. `name` is the server's. */
export class UnknownHttpError extends HttpError {
  readonly name: string
  readonly status: number

  constructor({ name, status, facts }: ReceivedError) {
    super(facts)
    this.name = name
    this.status = status
  }
}

export interface ReceivedError {
  name: string
  status: number
  facts: ErrorFacts
}

/** What the answer to a refused call says. */
export function receivedError(answer: Response, body: unknown): ReceivedError {
  const { __type, message, error, ...fields } = ((typeof body === 'object' && body) ||
    {}) as Envelope
  // An error in the form of another protocol has a code and no class.
  const name = [__type, error?.code, 'Error'].find((each) => typeof each === 'string') as string
  const requestId = error?.requestId ?? answer.headers.get('x-request-id') ?? undefined
  const facts = {
    ...fields,
    message: message ?? error?.message ?? `${answer.status} ${answer.statusText}`,
    requestId,
  }
  return { name, status: answer.status, facts }
}

interface Envelope {
  __type?: unknown
  message?: string
  error?: { code?: unknown; message?: string; requestId?: string }
}
