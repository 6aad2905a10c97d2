import { ApiUnreachableError } from '../call/errors.ts'
import type { HttpError } from '../errors/errors.ts'
import type { NameChange, OpenedStream, SSEMessage, StreamGap } from './notice.ts'

/** One attempt at a connection. */
export interface Attempt {
  /** Undefined where the client has named none. */
  readonly events: readonly string[] | undefined
  readonly token: string | undefined
  readonly lastEventId: string
  /** Ends it. */
  readonly signal: AbortSignal
}

export interface SourceListener {
  /** Something arrived. */
  heard(): void
  pinged(): void
  /** With the id of the place where it begins, and below with that of the message itself, where it has one. */
  opened(stream: OpenedStream, ask: Ask, id?: string): void
  message(message: SSEMessage, id?: string): void
  gap(gap: StreamGap, id?: string): void
  /** The server could not take a message of this client's. */
  messageError(error: HttpError): void
  reached(place: Place): void
}

/** What the server says to a change. */
export interface Told {
  /** All that the stream follows then. */
  readonly events: readonly string[]
  /** Where the stream was at that moment. Only one with a history has an id. */
  readonly id?: string
}

/** Asks for a change of the open stream. It rejects with what the server refuses it by. */
export type Ask = (change: NameChange) => Promise<Told>

/** What the next attempt has to know of this one. */
interface Place {
  readonly lastEventId: string
  /** How long the server wants to be left alone for. */
  readonly retryMillis?: number | undefined
}

/**
 * How a connection ended. A `drop` was no decision of the server: `busy` asks to come again later, `unauthorized` may be
 * a matter of a fresh token, and `refused` is for good. So is `over`, where nothing has failed. With `stranger`, something
 * else has answered than the stream.
 */
export interface End {
  readonly verdict: 'drop' | 'busy' | 'unauthorized' | 'refused' | 'over' | 'stranger'
  /** All but `over` have one. */
  readonly error?: HttpError
  /** How long the server wants to be left alone for at least. */
  readonly retryMillis?: number | undefined
}

/** A kind of connection: it resolves when the connection has ended. */
export interface Source {
  /** Whether the server shows often enough that it is there for silence to be a sign. */
  readonly isPinged: boolean
  run(attempt: Attempt, listener: SourceListener): Promise<End>
}

export function drop(message: string, cause?: unknown): End {
  return { verdict: 'drop', error: new ApiUnreachableError({ message, cause }) }
}

export function without(names: readonly string[] = [], others: readonly string[] = []) {
  return names.filter((name) => !others.includes(name))
}

/** What a server says by a status. */
export function verdictOf(status: number): End['verdict'] {
  if (status === 401) return 'unauthorized'
  if (status === 429 || status === 503) return 'busy'
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'drop'
}

/** What the first frame of either kind says. */
export function openedBy(content: unknown): OpenedStream {
  const { events, recovered, reason } = (content ?? {}) as Record<string, unknown>
  return {
    events: Array.isArray(events) ? events : [],
    recovered: recovered === true,
    ...((reason === 'expired' || reason === 'unknown') && { reason }),
  }
}

/** What a stream says that stays open. */
export function gapBy(content: unknown): StreamGap {
  const { reason } = (content ?? {}) as Record<string, unknown>
  return { reason: typeof reason === 'string' ? reason : 'unknown' }
}
