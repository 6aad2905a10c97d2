import {
  BadRequestError,
  MethodNotAllowedError,
  NotFoundError,
  RawBody,
  type RouteMap,
  type RouteMapEntry,
} from '@svc/core/client'
import { type BodiesUnderWay } from '@svc/core/proxy'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { ProxyCall } from './interceptor.ts'
import { readBlob, readInput, readInputHeader } from './read-input.ts'

/** The call that the browser asks for. Name and method are checked before its input is read. */
export async function readCall(
  request: Request,
  routeMap: RouteMap,
  rawBody: (bound: RawBound) => RawBodyReader,
): Promise<ProxyCall> {
  const name = operationName(request)
  // `__proto__` and the like are in every object and name no operation.
  const operation = Object.hasOwn(routeMap, name) ? routeMap[name] : undefined
  if (!operation) throw unknownOperation()
  // A link or an image of another site makes a browser send a GET, so a GET must change nothing, nor a HEAD.
  if (request.method !== 'POST' && operation.method !== 'GET') {
    throw new MethodNotAllowedError({ allow: ['POST'] })
  }
  const reader = operation.rawBody && rawBody(operation.rawBody)
  const { headers: given, ...input } = reader ? readInputHeader(request) : await readInput(request)
  if (reader && input.body !== undefined)
    throw new BadRequestError({ message: 'The body was sent twice. Send it once.' })
  // `fetch` can't send one. It would throw an error that is not a refusal.
  if (operation.method === 'GET' && input.body !== undefined) {
    throw new BadRequestError({ message: 'This operation takes no body. Send none.' })
  }
  const headers = forwardedHeaders(request.headers, { given, named: operation.headers })
  return { request, name, operation, input, headers, ...(reader && { rawBody: reader.read }) }
}

function unknownOperation() {
  return new NotFoundError({
    resource: 'Operation',
    message:
      'The operation is not in the route map of this web app: run "npx @svc/cli generate", and give createRpcProxy the route ' +
      'map that it writes, together with authRouteMap from @svc/auth.',
  })
}

/** The last segment, wherever the proxy is mounted. */
function operationName(request: Request) {
  const segment = new URL(request.url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new NotFoundError({ resource: 'Operation' })
  }
}

export type RawBound = NonNullable<RouteMapEntry['rawBody']>

/** Reads the body of one call, which isn't JSON. */
export interface RawBodyReader {
  /** The same promise each time. The body is read from the browser at the first call. */
  readonly read: () => Promise<RawBody>
  /** The call is over. */
  readonly release: () => void
}

/** The body counts among all that this process holds, from its arrival until its call is over. */
export function rawBodyReader(
  request: Request,
  { maxBytes }: RawBound,
  bodies: BodiesUnderWay,
): RawBodyReader {
  const ended = new AbortController()
  const held = { heldBytes: 0, refuse: (error: Error) => ended.abort(error) }
  const read = async () => {
    const onChunk = (chunk: Uint8Array) => bodies.add(held, chunk)
    const blob = await readBlob(request, { maxBytes, onChunk, signal: ended.signal })
    bodies.finish(held)
    return new RawBody(blob, request.headers.get('content-type') ?? '')
  }
  let reading: Promise<RawBody> | undefined
  return { read: () => (reading ??= read()), release: () => bodies.drop(held) }
}
