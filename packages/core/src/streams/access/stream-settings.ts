import {
  type EventRouter,
  subscriptionsPathOf,
  tokenPathOf,
  type WebSocketRouter,
} from '../../events/contract.ts'
import type { EventStreamOptions, StreamAuthOptions, WebSocketOptions } from './stream-options.ts'

/** The settings of streams in a definition. */
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

/** Undefined if a stream can't change what it follows. */
export function subscriptionsPath(settings: StreamSettings) {
  return settings.events?.router.hasChannels ? subscriptionsPathOf(streamPath(settings)) : undefined
}

/** The options for issuing tokens: both kinds of streams share one pool (E-071). */
export function tokenAuth(settings: StreamSettings) {
  return [streamAuth(settings), socketAuth(settings)].find((auth) => auth !== undefined)
}

export function streamAuth({ events }: StreamSettings) {
  return ifEnabled(events?.options.auth)
}

/** The option of the event stream unless it has its own. */
export function socketAuth({ events, websockets }: StreamSettings) {
  return ifEnabled(websockets && (websockets.options.auth ?? events?.options.auth))
}

function ifEnabled(auth: StreamAuthOptions | undefined) {
  return auth?.enabled ? auth : undefined
}
