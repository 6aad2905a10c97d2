import type { AnySchema, StandardSchema } from '../schema/schema.ts'

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

interface Bounds {
  /** The largest body that is read: a larger one is a 413. */
  readonly maxBytes: number
  /** The media types that are taken, such as `image/png` or `image/*`: another one is a 415. All unless set. */
  readonly types?: readonly string[]
}

/** What the server has to know of a body that isn't JSON. */
export interface BodyForm extends Bounds {
  readonly kind: 'bytes' | 'stream'
}

/** The schema of a body that isn't JSON: `.input({ body: bytesBody({ maxBytes: 65_536 }) })`. */
export interface DeclaredBody<Sent = unknown, Received = unknown>
  extends StandardSchema<Sent, Received> {
  readonly '~form': BodyForm
}

/** A body of any bytes, which the handler gets in memory. */
export function bytesBody(bounds: Bounds): DeclaredBody<SentBytes, ReceivedBytes> {
  return declared({ kind: 'bytes', ...bounds })
}

/** A body of any bytes, which may be larger than the memory: the handler reads it from a temporary file. */
export function streamBody(bounds: Bounds): DeclaredBody<SentBytes, ReceivedStream> {
  return declared({ kind: 'stream', ...bounds })
}

function declared<Sent, Received>(form: BodyForm): DeclaredBody<Sent, Received> {
  const { maxBytes, types = [] } = form
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    throw new Error(`maxBytes must be a whole number of bytes, and is ${maxBytes}.`)
  }
  const mistyped = types.find((type) => !/^[\w.+-]+\/(?:[\w.+-]+|\*)$/.test(type))
  if (mistyped !== undefined) throw new Error(`"${mistyped}" is not a media type.`)
  // What a handler gets is made by the server's reader of this form, so there is nothing left to check.
  const validate = (value: unknown) => ({ value: value as Received })
  return { '~form': form, '~standard': { version: 1, vendor: 'svc', validate } }
}

/** The form of a body that isn't JSON. */
export function bodyForm(schema: AnySchema | undefined): BodyForm | undefined {
  return schema && '~form' in schema ? (schema as DeclaredBody)['~form'] : undefined
}
