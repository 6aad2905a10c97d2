import type { RouteMap } from '../routes/contract.ts'

/**
 * The path where a client gets the token of a stream: `/events/stream` gives `/events/token`,
 * `/sse` gives `/sse/token` (E-040).
 */
export function tokenPathOf(streamPath: string) {
  return besides(streamPath, 'token')
}

/**
 * The path where a client changes what its event stream follows: `/events/stream` gives
 * `/events/subscriptions`.
 */
export function subscriptionsPathOf(streamPath: string) {
  return besides(streamPath, 'subscriptions')
}

function besides(streamPath: string, name: string) {
  const siblings = /^(.*)\/(?:stream|ws)$/.exec(streamPath)
  return `${siblings ? siblings[1] : streamPath}/${name}`
}

/**
 * The route map of `eventsToken` and `eventsSubscribe`, for an RPC proxy and for clients; `svc generate` writes it into
 * the application's.
 */
export function eventRouteMapOf(streamPath: string): RouteMap {
  return {
    eventsToken: { method: 'POST', path: besides(streamPath, 'token') },
    eventsSubscribe: { method: 'POST', path: besides(streamPath, 'subscriptions') },
  }
}

/**
 * The addresses of `eventsToken` and `eventsSubscribe` beside `/events/stream`, for an RPC proxy.
 */
export const eventRouteMap = eventRouteMapOf('/events/stream')
