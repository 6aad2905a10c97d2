import {
  type EventRouter,
  subscriptionsPathOf,
  tokenPathOf,
  type WebSocketRouter,
} from '../../events/contract.ts'
import type { EventStreamOptions, StreamAuthOptions, WebSocketOptions } from './stream-options.ts'

/** What a definition says of streams. */
export interface StreamSettings {
  readonly events?: { readonly router: EventRouter; readonly options: EventStreamOptions }
  readonly websockets?: { readonly router: WebSocketRouter; readonly options: WebSocketOptions }
}

export function streamPath({ events }: StreamSettings) {
  return events?.options.path ?? '/events/stream'
}

export function socketPath({ websockets }: StreamSettings) {
  return websockets?.options.path ?? '/events/ws'
}

export function tokenPath(settings: StreamSettings) {
  return tokenPathOf(settings.events ? streamPath(settings) : socketPath(settings))
}

/** Undefined where nothing can be followed but what a stream has asked for. */
export function subscriptionsPath(settings: StreamSettings) {
  return settings.events?.router.hasChannels ? subscriptionsPathOf(streamPath(settings)) : undefined
}

/** The options that say how tokens are issued: one pool serves both kinds of streams (E-071). */
export function tokenAuth(settings: StreamSettings) {
  return [streamAuth(settings), socketAuth(settings)].find((auth) => auth !== undefined)
}

export function streamAuth({ events }: StreamSettings) {
  return ifEnabled(events?.options.auth)
}

/** That of the event stream unless it has its own. */
export function socketAuth({ events, websockets }: StreamSettings) {
  return ifEnabled(websockets && (websockets.options.auth ?? events?.options.auth))
}

function ifEnabled(auth: StreamAuthOptions | undefined) {
  return auth?.enabled ? auth : undefined
}
