import { type Bounds, type DeclaredBody, declared } from './body-form.ts'

/** What a caller may send as a body of bytes. The type of a `Blob` is sent with it. */
export type SentBytes = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>

/** A body in memory, byte for byte as it was received. */
export interface ReceivedBytes {
  /** The media type that the caller gave it, without parameters. It proves nothing about the bytes. */
  readonly type: string
  readonly bytes: Buffer
}

/** A body in a temporary file, which has arrived as a whole. It can be read until the request is over. */
export interface ReceivedStream {
  /** The media type that the caller gave it, without parameters. It proves nothing about the bytes. */
  readonly type: string
  /** In bytes. */
  readonly size: number
  /** The bytes from the first one on, however often it is called. */
  readonly stream: () => ReadableStream<Uint8Array<ArrayBuffer>>
}

/** A body of any bytes, which the handler gets in memory. */
export function bytesBody(bounds: Bounds): DeclaredBody<SentBytes, ReceivedBytes> {
  return declared({ kind: 'bytes', ...bounds })
}

/** A body of any bytes, which may be larger than the memory: the handler reads it from a temporary file. */
export function streamBody(bounds: Bounds): DeclaredBody<SentBytes, ReceivedStream> {
  return declared({ kind: 'stream', ...bounds })
}
