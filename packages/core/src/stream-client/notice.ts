import type { HttpError } from '../errors/errors.ts'

export type StreamState = 'connecting' | 'open' | 'closed' | 'error'

/** What the server says as a stream opens. */
export interface OpenedStream {
  /** The events that will come: those asked for that this client may have. */
  readonly events: readonly string[]
  /** Whether nothing was missed since the last connection; only a stream with a history can tell. */
  readonly recovered: boolean
}

/** One emission, as it arrives (E-033). */
export interface SSEMessage<Payload = unknown> {
  /** The router's key of the event. */
  readonly event: string
  readonly data: Payload
  readonly id?: string
}

/** What becomes of a connection. All but messages are the state that it is in from then on. */
export type Notice =
  | { readonly type: 'connecting'; readonly attempt: number }
  | { readonly type: 'open'; readonly opened: OpenedStream }
  | { readonly type: 'message'; readonly message: SSEMessage }
  | { readonly type: 'messageError'; readonly error: HttpError }
  /** Another attempt follows. Without an error it was not a drop: the server asked to come again. */
  | { readonly type: 'error'; readonly error?: HttpError }
  /** It is over. With an error the server has refused it. */
  | { readonly type: 'closed'; readonly error?: HttpError }

export type Listener = (notice: Notice) => void

/** Something that goes on until it is closed; once it is closed it tells nothing more. */
export interface Link {
  close(): void
}
