import type { IncomingMessage } from 'node:http'
import { directRequest } from '../call/call.ts'
import { BadRequestError } from '../errors/contract.ts'
import { answerError } from '../http/http.ts'
import { type Answer, TextAnswer } from '../request/client.ts'
import { bodyTooLarge, clientAddress, RawContext } from '../request/request.ts'
import type { Method } from '../routes/contract.ts'
import type { Chain } from '../routes/routes.ts'

/** An operation, and the chain of middleware and handler that its route has. */
export interface Place {
  readonly method: Method
  readonly path: string
  readonly chain: Chain
  readonly maxBodyBytes: number | undefined
}

export interface PlaceInput {
  readonly params?: Record<string, unknown>
  readonly query?: Record<string, unknown>
  readonly body?: unknown
}

/**
 * Calls an operation in the course of a request, by the route's own chain: the answer, or the refusal that a client
 * would get. Its middleware finds the caller by `c.outer`, because nothing that the client has sent is in this call.
 */
export async function callWithin(
  outer: RawContext,
  place: Place,
  /** Either may throw. */
  { read, view }: { read: () => PlaceInput; view?: ((body: unknown) => unknown) | undefined },
): Promise<Answer | Response> {
  let inner = outer
  try {
    const input = read()
    inner = innerContext(outer, place, requestOf(place, input), input.params)
    await place.chain(inner)
    const { answer } = inner
    if (!answer) throw new Error('The route of a tool has not answered.')
    // Text and bytes have no members to choose from.
    if (answer instanceof Response || answer instanceof TextAnswer) return answer
    const value = view && answer.status < 400 ? view(answer.value) : answer.value
    return answer.with(asJson(value))
  } catch (error) {
    return answerError(error, inner)
  }
}

function requestOf({ method, path }: Place, input: PlaceInput) {
  try {
    const { url, headers, body = '' } = directRequest('', { method, path, input })
    // It is text: no operation with another body is a tool.
    return { url, headers, bytes: Buffer.from(body as string) }
  } catch (error) {
    // A value that no path or query can carry.
    throw error instanceof TypeError ? new BadRequestError({ message: error.message }) : error
  }
}

function innerContext(
  outer: RawContext,
  { method, maxBodyBytes = outer.server.bodyLimitBytes }: Place,
  { url, headers, bytes }: ReturnType<typeof requestOf>,
  params: Record<string, unknown> = {},
) {
  if (bytes.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes)
  const all = { ...headers, 'content-length': `${bytes.length}` }
  const incoming = incomingOf(outer, { method, url, headers: all })
  const { outgoing, server } = outer
  const inner = new RawContext({ incoming, outgoing }, server, textOf(params), outer)
  // The headers that name it are not in this call.
  inner.vouchedAddress = clientAddress(outer) ?? undefined
  inner.maxBodyBytes = maxBodyBytes
  inner.body = Promise.resolve(bytes)
  inner.hasWholeBody = true
  return inner
}

interface Head {
  method: Method
  url: string
  headers: Record<string, string>
}

/** Of the client's own headers, these say nothing of who it is. */
const kept = ['host', 'user-agent', 'accept-language']

/** The request that a client would have sent, on the connection of the one that has come. No credential is in it. */
function incomingOf(outer: RawContext, { method, url, headers }: Head): IncomingMessage {
  const ofClient = kept.flatMap((name) => {
    const value = outer.req.header(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const all: Record<string, string> = {
    ...Object.fromEntries(ofClient),
    'x-request-id': outer.requestId,
    ...headers,
  }
  const headersDistinct = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, [value]]),
  )
  const own = { method, url, headers: all, headersDistinct, complete: true }
  const members = Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }])
  return Object.create(outer.incoming, Object.fromEntries(members))
}

/** A date is text. What JSON can't hold is a bug of the route, and is refused as one. */
const asJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))

const textOf = (params: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
