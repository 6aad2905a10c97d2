import type { AnyContract } from '@svc/auth/contract'
import { HttpError, type RouteMap } from '@svc/core/client'
import type { EnvironmentSource } from '@svc/core/env'
import { BodiesUnderWay } from '@svc/core/proxy'
import { readProxyGuardEnv } from '../proxy-guard/env.ts'
import { voucher } from '../proxy-guard/proxy-guard.ts'
import { answerRefusal, callApi } from './call-api.ts'
import { type Interceptor, intercept } from './interceptor.ts'
import { type RawBodyReader, type RawBound, rawBodyReader, readCall } from './read-call.ts'

/** For `createRpcProxy`: which operations a browser may call, and what runs around each call. */
export interface RpcProxyOptions {
  /** The operations that a browser may call. It can't reach any other through the proxy. */
  routeMap: RouteMap
  /** The contracts of further capabilities: a browser may call their operations too. Give `authInterceptors` the same. */
  contracts?: readonly AnyContract[]
  /** Where the API is. */
  apiUrl?: string
  /** How long the API may take to answer. */
  timeoutMillis?: number
  /** How many bytes of bodies that aren't JSON this process holds at once. 64 MiB unless set. */
  bodiesBytes?: number
  /** What runs around every call, outermost first. */
  interceptors?: readonly Interceptor[]
  /** The browser's address, if the host knows the socket. It wins over `SVC_TRUSTED_PROXY_HOPS`. */
  clientAddress?: (request: Request) => string | undefined
  /** Where to read the variables from; the process's own unless given. */
  env?: EnvironmentSource
}

/** Answers a web request, as a route of Next or any other server on web requests does. */
export type FetchHandler = (request: Request) => Promise<Response>

/**
 * Answers `POST <anywhere>/<name>` with the API's answer. For operations that are a GET in the API,
 * also `GET <anywhere>/<name>?input=<json>`.
 */
export function createRpcProxy({
  routeMap: given,
  contracts = [],
  apiUrl = 'http://localhost:8790',
  // Balancers in front of a web app give up after 60 s, with a page of their own instead of an error a client can read.
  timeoutMillis = 30_000,
  bodiesBytes = 67_108_864,
  interceptors = [],
  clientAddress,
  env,
}: RpcProxyOptions): { GET: FetchHandler; POST: FetchHandler } {
  const vouchFor = voucher(readProxyGuardEnv(env))
  const send = intercept(interceptors, (call) => {
    const vouch = vouchFor(call.request.headers, clientAddress?.(call.request))
    return callApi(call, { apiUrl, timeoutMillis, vouch })
  })
  const routeMap = { ...given, ...routesOf(given, contracts) }
  const bodies = new BodiesUnderWay(bodiesBytes)
  const handle: FetchHandler = async (request) => {
    let body: RawBodyReader | undefined
    const rawBody = (bound: RawBound) => (body = rawBodyReader(request, bound, bodies))
    try {
      return await send(await readCall(request, routeMap, rawBody))
    } catch (error) {
      if (error instanceof HttpError) return answerRefusal(error, request.headers)
      throw error
    } finally {
      body?.release()
    }
  }
  return { GET: handle, POST: handle }
}

/** The routes of the contracts' operations. */
function routesOf(routeMap: RouteMap, contracts: readonly AnyContract[]): RouteMap {
  const routes: RouteMap = Object.assign({}, ...contracts.map(({ routeMap: own }) => own))
  for (const [name, { method, path }] of Object.entries(routes)) {
    const other = routeMap[name]
    if (!other || (other.method === method && other.path === path)) continue
    throw new Error(
      `createRpcProxy: the operation ${name} is at ${path} in the contracts, and at ${other.path} in the route map.`,
    )
  }
  return routes
}
