import { HttpError } from '../errors/errors.ts'
import type { RouteMap, RouteMapEntry } from '../routes/contract.ts'
import type { Api, CallOptions } from './api.ts'
import { ApiUnreachableError, type ErrorClasses, errorFrom } from './errors.ts'
import { inLine } from './kept-place.ts'
import { rawBodyOf } from './raw-body.ts'
import { type CallInput, directRequest, type PreparedRequest, proxiedRequest } from './request.ts'
import { createServerClock, type ServerClock } from './server-clock.ts'
import { asksToSignAgain, signAgainAheadMillis } from './sign-again.ts'
import type { SignRequest } from './sign-request.ts'

/** Where a client’s calls go, and how they are signed. */
export interface ApiOptions {
  routeMap: RouteMap
  /** Where the API is. */
  baseUrl?: string
  /** Calls go through the web app's RPC proxy, such as `/api/rpc`, instead of straight to the API. */
  proxy?: string
  /** Signs the finished request; what it returns is added to the headers. */
  sign?: SignRequest
  /**
   * Writes the body of a call that goes straight to the API, if only one spelling can be signed.
   */
  writeBody?: (body: unknown) => string
  /** The clock for signing. The client has one of its own unless another part signs with it too. */
  clock?: ServerClock
  /** Error classes of the application, so that they arrive as such. */
  errors?: ErrorClasses
  /** How long an answer may take. 30 s unless set. */
  timeoutMillis?: number
  /** How long a call may wait for kept places, in all. Two minutes unless set; 0 turns it off. */
  waitMillis?: number
  fetch?: typeof fetch
}

/** A client that calls every operation of a router by its name. */
export function createApi<AnyRouter>(given: ApiOptions): Api<AnyRouter> {
  const { baseUrl = 'http://localhost:8790' } = given
  const { clock = createServerClock({ ...given, baseUrl }) } = given
  const options = { ...given, baseUrl, clock }
  const calls = new Map<string, unknown>()
  const callNamed = (name: string) => {
    if (!calls.has(name)) {
      if (!Object.hasOwn(options.routeMap, name))
        return isOfObjects(name) ? undefined : missing(name)
      calls.set(name, operationCall(name, options))
    }
    return calls.get(name)
  }
  return new Proxy({} as Api<AnyRouter> & object, {
    get: (_target, name) => (typeof name === 'string' ? callNamed(name) : undefined),
  })
}

/**
 * `then` keeps the client from looking like a promise. `__proto__` and the like are no operations.
 */
function isOfObjects(name: string) {
  return name === 'then' || name in Object.prototype
}

/** It throws only when it is called: a tool that inspects the client may read any member of it. */
function missing(name: string) {
  const call = async () => {
    throw new Error(
      `"${name}" is not in the route map: run "npx @svc/cli generate", and give createApi the route map that it writes.`,
    )
  }
  return { call, try: call }
}

function operationCall(name: string, options: ClientOptions) {
  const call = async (given: CallInput = {}, { signal, onWait }: CallOptions = {}) => {
    const input = await repeatable(given, options.routeMap[name])
    return inLine((headers) => send(name, input, { ...options, signal, headers }), {
      longestMillis: options.waitMillis ?? 120_000,
      onWait,
      signal,
    })
  }
  return {
    call,
    try: async (input?: CallInput, callOptions?: CallOptions) => {
      try {
        return { ok: true, data: await call(input, callOptions) }
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        return { ok: false, error }
      }
    },
  }
}

/** A call may be sent more than once, but a stream can be read only once. */
async function repeatable(input: CallInput, operation: RouteMapEntry | undefined) {
  return operation?.rawBody ? { ...input, body: await rawBodyOf(input.body) } : input
}

type ClientOptions = ApiOptions & { baseUrl: string; clock: ServerClock }
type SendOptions = ClientOptions & {
  signal: AbortSignal | undefined
  /** In addition to those of the input. */
  headers: Record<string, string>
}

async function send(name: string, input: CallInput, options: SendOptions) {
  const operation = options.routeMap[name] as RouteMapEntry
  const request = options.proxy
    ? proxiedRequest(options.proxy, { name, method: operation.method, input })
    : directRequest(options.baseUrl, { ...operation, input, writeBody: options.writeBody })
  const { offsetMillis } = options.clock
  try {
    return await ask(request, options)
  } catch (error) {
    if (!options.sign) throw error
    if (asksToSignAgain(error)) return signAgain(request, options)
    if (!refusesTime(error) || !(await wasWrong(options.clock, offsetMillis))) throw error
    return ask(request, options)
  }
}

/**
 * With the server's time: if the local clock is behind, the new signature would be too old again.
 */
async function signAgain(request: PreparedRequest, options: SendOptions) {
  await options.clock.sync()
  return ask(request, options, signAgainAheadMillis)
}

async function ask({ url, ...request }: PreparedRequest, options: SendOptions, laterMillis = 0) {
  const signed = await options.sign?.({
    method: request.method,
    url,
    body: request.body ?? '',
    nowMillis: options.clock.nowMillis() + laterMillis,
  })
  const headers = { ...request.headers, ...options.headers, ...signed }
  const answer = await reach(url, { ...request, headers }, options)
  const body = await readJson(answer)
  if (!answer.ok && answer.status !== 304) throw errorFrom(answer, body, options.errors)
  return body
}

/**
 * Whether the signature is too old, or too early. Such a request is refused before anything is
 * done, so it may be repeated.
 */
function refusesTime(error: unknown) {
  if (!(error instanceof HttpError) || error.status !== 401) return false
  const { claim } = error as { claim?: unknown } // a public field of RequestBindingError
  return (
    error.name === 'TokenExpiredError' ||
    error.name === 'PROOF_EXPIRED' ||
    (error.name === 'RequestBindingError' && claim === 'iat')
  )
}

/**
 * Whether the request was signed with a wrong time. A difference below the second of `iat` was not
 * the reason.
 */
async function wasWrong(clock: ServerClock, signedWithMillis: number) {
  const isOff = () => Math.abs(clock.offsetMillis - signedWithMillis) >= 1000
  // Another call may have synchronised the clock in the meantime.
  if (!isOff()) await clock.sync()
  return isOff()
}

/**
 * A network failure or a server that is down is an error of its own, never a refusal of the API.
 */
async function reach(url: string, init: RequestInit, options: SendOptions) {
  const { signal, timeoutMillis = 30_000, fetch: fetchOf = fetch } = options
  const limit = AbortSignal.timeout(timeoutMillis)
  try {
    return await fetchOf(url, {
      ...init,
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

async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text()
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
