import { HttpError } from '../errors/errors.ts'
import type { RouteMap, RouteMapEntry } from '../routes/contract.ts'
import type { Api } from './api.ts'
import { type ErrorClasses, errorFrom } from './errors.ts'
import { isOfObjects, operationCall, operations, type SendMore } from './operations.ts'
import {
  type CallInput,
  type PreparedRequest,
  proxiedRequest,
  proxiedUrl,
} from './proxied-request.ts'
import { RawBody, rawBodyOf } from './raw-body.ts'
import { reach } from './reach.ts'
import { directRequest, proxiedRawRequest } from './request.ts'
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
  const { routeMap, waitMillis } = options
  return operations((name) => {
    if (!Object.hasOwn(routeMap, name)) return isOfObjects(name) ? undefined : missing(name)
    const operation = routeMap[name] as RouteMapEntry
    return operationCall(async (sent) => {
      const input = await repeatable(sent, operation)
      return (more) => send({ ...operation, name, input }, { ...options, ...more })
    }, waitMillis)
  })
}

/** It throws only when it is called: a tool that inspects the client may read any member of it. */
function missing(name: string) {
  const call = () =>
    Promise.reject(new Error(`"${name}" is not in the route map: run "npx @svc/cli generate".`))
  return { call, try: call }
}

/** A call may be sent more than once, but a stream can be read only once. */
async function repeatable(input: CallInput, { rawBody }: RouteMapEntry) {
  return rawBody ? { ...input, body: await rawBodyOf(input.body) } : input
}

type SendOptions = ApiOptions & { baseUrl: string; clock: ServerClock } & SendMore

interface OperationCall extends RouteMapEntry {
  name: string
  input: CallInput
}

async function send(call: OperationCall, options: SendOptions) {
  const request = options.proxy
    ? throughProxy(proxiedUrl(options.proxy, call.name), call)
    : directRequest(options.baseUrl, { ...call, writeBody: options.writeBody })
  const { offsetMillis } = options.clock
  try {
    return await ask(request, options)
  } catch (error) {
    if (!options.sign) throw error
    if (asksToSignAgain(error)) {
      // With the server's time: if the local clock is behind, the new signature would be too old again.
      await options.clock.sync()
      return ask(request, options, signAgainAheadMillis)
    }
    if (!refusesTime(error) || !(await wasWrong(options.clock, offsetMillis))) throw error
    return ask(request, options)
  }
}

function throughProxy(url: string, { method, input }: OperationCall) {
  return input.body instanceof RawBody
    ? proxiedRawRequest(url, input as CallInput & { body: RawBody })
    : proxiedRequest(url, method, input)
}

async function ask(request: PreparedRequest, options: SendOptions, laterMillis = 0) {
  const { method, url, body = '' } = request
  const nowMillis = options.clock.nowMillis() + laterMillis
  const signed = await options.sign?.({ method, url, body, nowMillis })
  const headers = { ...request.headers, ...options.headers, ...signed }
  return reach({ ...request, headers }, options, (answer, received) =>
    errorFrom(answer, received, options.errors),
  )
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
