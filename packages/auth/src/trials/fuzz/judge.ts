import type { Said } from './application.ts'
import type { Prepared } from './prepare.ts'
import type { Answered } from './send.ts'

/** What any request may be told before its operation is reached, or by the rules that hold for all. */
const general: Record<number, string[]> = {
  400: ['BadRequestError', 'ValidationError', 'PROFILE_REJECTED', 'invalid_request'],
  401: ['UnauthorizedError', 'KeyExpiredError', 'TokenExpiredError', 'RequestBindingError'],
  403: ['ForbiddenError'],
  404: ['NotFoundError'],
  405: ['MethodNotAllowedError'],
  413: ['PayloadTooLargeError'],
  415: ['UnsupportedMediaTypeError'],
  417: ['ExpectationFailedError'],
  429: ['TooManyRequestsError'],
  431: ['HeadersTooLargeError'],
  503: ['ServiceUnavailableError'],
}

/** What an answer must not tell of the server. */
export const leaks =
  /\bat [\w.<>]+ \(|\.ts:\d+|node_modules|\/packages\/|svc_auth\.|\bselect\b.+\bfrom\b|\binsert into\b|violates|\bTypeError|SyntaxError|Cannot read/i

// A password may wait five seconds for its turn (SVC_AUTH_LOGIN_WAIT_MILLIS), and then all else takes its time.
const mostMillis = 5000 + 5000

/** They say with 503 that a dependency is down, and a database that a busy machine keeps waiting is. */
const isOfHealth = ({ name }: Prepared) => name === 'health' || name === 'ready'

/** What is wrong with an answer. */
export function faultsOf(prepared: Prepared, answered: Answered, said: Said | undefined) {
  const { status, headers, text, millis } = answered
  const faults: string[] = []
  const wrong = (fault: string) => faults.push(fault)
  if (status >= 500 && status !== 503) wrong(`it answers ${status}`)
  if (status === 503 && !isOfHealth(prepared) && !headers['retry-after']) {
    wrong('no Retry-After beside 503')
  }
  if (millis > mostMillis) wrong(`it took ${Math.round(millis)} ms`)
  if (!/^[\w.-]{8,128}$/.test(String(headers['x-request-id'] ?? ''))) wrong('no request id')
  if (headers['x-injected']) wrong('a header was injected')
  if (leaks.test(text)) wrong(`it tells of itself: ${leaks.exec(text)?.[0]}`)
  const isRefusal = status >= 400
  for (const secret of isRefusal ? prepared.secrets : []) {
    if (text.includes(secret)) wrong('it repeats a secret')
  }
  if (prepared.method === 'HEAD' || prepared.method === 'OPTIONS') return faults
  if (text === '') return isRefusal ? [...faults, `${status} has no body`] : faults
  if (String(headers['content-type']).startsWith('text/html')) return faults
  const body = readJson(text)
  if (body === undefined) return [...faults, 'the body is no JSON']
  if (!/^application\/(problem\+)?json/.test(String(headers['content-type']))) {
    wrong(`its content type is ${headers['content-type']}`)
  }
  if (status === 503 && isOfHealth(prepared)) {
    const { status: state } = body as { status?: unknown }
    return state === 'degraded' ? faults : [...faults, 'it does not say its state']
  }
  const known = said?.statuses.get(status)
  if (!isRefusal && said) {
    if (!known) wrong(`${status} is not documented`)
    else if (!known.isRight(body)) wrong('the body is not as documented')
  }
  if (isRefusal) faults.push(...faultsOfRefusal(body, { status, names: known?.names ?? [] }))
  return faults
}

interface Refusal {
  status: number
  names: string[]
}

function faultsOfRefusal(body: Body, { status, names }: Refusal) {
  const { error } = body
  // OAuth's own words, the envelope, or a problem.
  const code = typeof error === 'string' ? error : (error?.code ?? body.code)
  const isOAuth = typeof error === 'string' && names.includes('OAuth2Error')
  const isKnown = [...names, ...(general[status] ?? [])].includes(String(code))
  if (!isOAuth && !isKnown) return [`${status} ${code} is not documented`]
  const requestId = typeof error === 'object' ? error?.requestId : body.requestId
  return isOAuth || requestId ? [] : ['no request id in the body']
}

interface Body {
  error?: string | { code?: string; requestId?: string }
  code?: string
  requestId?: string
}

function readJson(text: string): Body | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
