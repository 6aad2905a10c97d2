import {
  BadRequestError,
  MethodNotAllowedError,
  NotFoundError,
  type RouteMap,
} from '@svc/core/client'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { ProxyCall } from './interceptor.ts'
import type { RawBodyReader, RawBound } from './raw-body-reader.ts'
import { readInput, readInputHeader } from './read-input.ts'

/** What the browser asks for. Name and method are checked before anything of its input is read. */
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
    throw new BadRequestError({ message: 'The body comes twice.' })
  // The platform can send none, and would say so by an error that is nobody's refusal.
  if (operation.method === 'GET' && input.body !== undefined) {
    throw new BadRequestError({ message: 'This operation takes no body.' })
  }
  const headers = forwardedHeaders(request.headers, { given, named: operation.headers })
  return { request, name, operation, input, headers, ...(reader && { rawBody: reader.read }) }
}

function unknownOperation() {
  return new NotFoundError({
    resource: 'Operation',
    message:
      'The operation is not in the route map of this web app: run "svc generate", and give createRpcProxy the route ' +
      'map that it writes, together with authRouteMap of @svc/auth.',
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
