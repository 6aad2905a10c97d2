import type { HttpError } from '../errors/errors.ts'

/** The state of a connection. `error` is the pause before the next attempt; `closed` is final. */
export type StreamState = 'connecting' | 'open' | 'closed' | 'error'

/** The server's first message on a stream. */
export interface OpenedStream {
  /** The events that will come: those that were asked for and are allowed. */
  readonly events: readonly string[]
  /**
   * Whether nothing was missed since the last connection. Only a stream with a history can know.
   */
  readonly recovered: boolean
  /**
   * Why a history has not recovered it: the missed events are no longer stored, or the place is
   * unknown to it.
   */
  readonly reason?: 'expired' | 'unknown'
}

/** Events may have been missed while the stream stayed open. */
export interface StreamGap {
  /**
   * For example `expired`: the missed events are no longer stored. A later server may have other
   * reasons.
   */
  readonly reason: string
}

/** One emission, as it arrives (E-033). */
export interface SSEMessage<Payload = unknown> {
  /** The router's key of the event. */
  readonly event: string
  readonly data: Payload
  readonly id?: string
}

/** A place of the stream: that of its message, if it has one. */
interface Placed {
  readonly id?: string | undefined
}

/** Something that arrives on a connection. The state of the connection stays the same. */
export type Arrival =
  | ({ readonly type: 'message'; readonly message: SSEMessage } & Placed)
  | ({ readonly type: 'gap'; readonly gap: StreamGap } & Placed)
  /** The stream has reached this place without a message. */
  | { readonly type: 'reached'; readonly id: string }
  | { readonly type: 'messageError'; readonly error: HttpError }

/** The new state of a connection. */
export type StateChange =
  | { readonly type: 'connecting'; readonly attempt: number }
  | ({ readonly type: 'open'; readonly opened: OpenedStream } & Placed)
  /** Another attempt follows. Without an error it was not a drop: the server asked to reconnect. */
  | { readonly type: 'error'; readonly error?: HttpError }
  /** The connection is over. With an error, the server has refused it. */
  | { readonly type: 'closed'; readonly error?: HttpError }

export type Notice = Arrival | StateChange

/** What a stream follows from now on, or no longer. */
export interface NameChange {
  readonly type: 'subscribe' | 'unsubscribe'
  readonly names: readonly string[]
}

export type Listener = (notice: Notice) => void

/** Something that goes on until it is closed, and then reports nothing more. */
export interface Link {
  /**
   * Resolves when the server has accepted the change. Rejects with its refusal, or when it is
   * closed.
   */
  change(change: NameChange): Promise<readonly string[]>
  close(): void
}
