/** A finished request to the API. */
export interface ApiRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob
}

/** The part of the API's answer that the caller may see. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly body: Uint8Array<ArrayBuffer> | ArrayBuffer | ReadableStream | null
}

export interface Sending {
  /** Ends the call, and also an answer that has begun. */
  readonly signal: AbortSignal
  /** The headers of the answer that the caller may see. */
  readonly answered: readonly string[]
}

/** The API closed a connection that was kept from an earlier call. It may have read this one or not. */
export class LostConnectionError extends Error {}

// Most answers are short. Passing on a stream costs more than reading them.
const shortBytes = 65_536

/** Whether an answer of this `Content-Length` is read whole. Others are passed on as a stream. */
export function isShort(contentLength: string | null | undefined) {
  return Number(contentLength ?? Infinity) <= shortBytes
}
