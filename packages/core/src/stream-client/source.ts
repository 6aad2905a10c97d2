import { ApiUnreachableError } from '../call/errors.ts'
import type { HttpError } from '../errors/errors.ts'
import type { NameChange, OpenedStream, SSEMessage, StreamGap } from './notice.ts'

/** One attempt at a connection. */
export interface Attempt {
  /** Undefined if the client has named none. */
  readonly events: readonly string[] | undefined
  readonly token: string | undefined
  readonly lastEventId: string
  /** Aborts it. */
  readonly signal: AbortSignal
}

export interface SourceListener {
  /** Something arrived. */
  heard(): void
  pinged(): void
  /**
   * With the id of the place where the stream begins. Below, with that of the message itself, if it
   * has one.
   */
  opened(stream: OpenedStream, ask: Ask, id?: string): void
  message(message: SSEMessage, id?: string): void
  gap(gap: StreamGap, id?: string): void
  /** The server could not accept a message of this client. */
  messageError(error: HttpError): void
  reached(place: Place): void
}

/** The server's answer to a change. */
export interface Told {
  /** All names that the stream then follows. */
  readonly events: readonly string[]
  /** The place of the stream at that moment. Only a stream with a history has ids. */
  readonly id?: string
}

/** Sends a change of the open stream. It rejects with the server's refusal. */
export type Ask = (change: NameChange) => Promise<Told>

/** What the next attempt needs to know about this one. */
interface Place {
  readonly lastEventId: string
  /** How long the client should wait before it comes again. */
  readonly retryMillis?: number | undefined
}

/**
 * How a connection ended. A `drop` was not the server's decision. `busy` asks to come again later,
 * `unauthorized` may need a fresh token, and `refused` is final. So is `over`, without a failure.
 * With `stranger`, something else than the stream has answered.
 */
export interface End {
  readonly verdict: 'drop' | 'busy' | 'unauthorized' | 'refused' | 'over' | 'stranger'
  /** All but `over` have one. */
  readonly error?: HttpError
  /** How long the client should wait at least before it comes again. */
  readonly retryMillis?: number | undefined
}

/** A kind of connection: it resolves when the connection has ended. */
export interface Source {
  /** Whether the server sends pings so often that silence means a lost connection. */
  readonly isPinged: boolean
  run(attempt: Attempt, listener: SourceListener): Promise<End>
}

export function drop(message: string, cause?: unknown): End {
  return { verdict: 'drop', error: new ApiUnreachableError({ message, cause }) }
}

export function without(names: readonly string[] = [], others: readonly string[] = []) {
  return names.filter((name) => !others.includes(name))
}

/** The meaning of a status. */
export function verdictOf(status: number): End['verdict'] {
  if (status === 401) return 'unauthorized'
  if (status === 429 || status === 503) return 'busy'
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'drop'
}

/** The content of the first frame, of both kinds. */
export function openedBy(content: unknown): OpenedStream {
  const { events, recovered, reason } = (content ?? {}) as Record<string, unknown>
  return {
    events: Array.isArray(events) ? events : [],
    recovered: recovered === true,
    ...((reason === 'expired' || reason === 'unknown') && { reason }),
  }
}

/** The content of a message that something may be missing. */
export function gapBy(content: unknown): StreamGap {
  const { reason } = (content ?? {}) as Record<string, unknown>
  return { reason: typeof reason === 'string' ? reason : 'unknown' }
}
