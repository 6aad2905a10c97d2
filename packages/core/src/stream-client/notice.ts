import type { HttpError } from '../errors/errors.ts'

export type StreamState = 'connecting' | 'open' | 'closed' | 'error'

/** What the server says as a stream opens. */
export interface OpenedStream {
  /** The events that will come: those asked for that this client may have. */
  readonly events: readonly string[]
  /** Whether nothing was missed since the last connection; only a stream with a history can tell. */
  readonly recovered: boolean
  /** Why a history has not recovered it: what was missed is not kept any more, or the place is not one of its own. */
  readonly reason?: 'expired' | 'unknown'
}

/** Something may have been missed while the stream stayed open. */
export interface StreamGap {
  /** For example `expired`: what was missed is not kept any more. A later server may have others. */
  readonly reason: string
}

/** One emission, as it arrives (E-033). */
export interface SSEMessage<Payload = unknown> {
  /** The router's key of the event. */
  readonly event: string
  readonly data: Payload
  readonly id?: string
}

/** A place of the stream: that of what it comes with, where that has one. */
interface Placed {
  readonly id?: string | undefined
}

/** What comes over a connection. It stays in the state that it is in. */
export type Arrival =
  | ({ readonly type: 'message'; readonly message: SSEMessage } & Placed)
  | ({ readonly type: 'gap'; readonly gap: StreamGap } & Placed)
  /** The stream has got this far without a message. */
  | { readonly type: 'reached'; readonly id: string }
  | { readonly type: 'messageError'; readonly error: HttpError }

/** What becomes of a connection: the state that it is in from then on. */
export type StateChange =
  | { readonly type: 'connecting'; readonly attempt: number }
  | ({ readonly type: 'open'; readonly opened: OpenedStream } & Placed)
  /** Another attempt follows. Without an error it was not a drop: the server asked to come again. */
  | { readonly type: 'error'; readonly error?: HttpError }
  /** It is over. With an error the server has refused it. */
  | { readonly type: 'closed'; readonly error?: HttpError }

export type Notice = Arrival | StateChange

/** What a stream follows from now on, or no longer. */
export interface NameChange {
  readonly type: 'subscribe' | 'unsubscribe'
  readonly names: readonly string[]
}

export type Listener = (notice: Notice) => void

/** Something that goes on until it is closed; once it is closed it tells nothing more. */
export interface Link {
  /** Resolves when the server has taken the change, and rejects with its refusal, or when it is closed. */
  change(change: NameChange): Promise<readonly string[]>
  close(): void
}
