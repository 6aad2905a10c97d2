import type { AnySchema, OutputOf, StandardSchema } from '../schema/schema.ts'

export interface Bounds {
  /** The largest body that is accepted: a larger one is a 413. */
  readonly maxBytes: number
  /**
   * The accepted media types, such as `image/png` or `image/*`: another one is a 415. All unless
   * set.
   */
  readonly types?: readonly string[]
}

/** A file of a form. */
export interface DeclaredFile extends Bounds {
  /** It may be left out. */
  readonly optional?: true
  /** Up to so many files of this name, as a list. Unless set, one file, and not a list. */
  readonly atMost?: number
}

/** A body of bytes, kept in memory or in a file. */
export interface BytesForm extends Bounds {
  readonly kind: 'bytes' | 'stream'
}

export interface MultipartForm extends Bounds {
  readonly kind: 'multipart'
  readonly fields: AnySchema | undefined
  readonly files: Readonly<Record<string, DeclaredFile>>
}

/** What the server must know about a body that isn't JSON. */
export type BodyForm = BytesForm | MultipartForm

/** The schema of a body that isn't JSON: `.input({ body: bytesBody({ maxBytes: 65_536 }) })`. */
export interface DeclaredBody<Sent = unknown, Received = unknown>
  extends StandardSchema<Sent, Received> {
  readonly '~form': BodyForm
}

function declared<Sent, Received>(form: BodyForm): DeclaredBody<Sent, Received> {
  requireBounds(form)
  // The server's reader of this form makes the handler's value, so there is nothing left to check.
  const validate = (value: unknown) => ({ value: value as Received })
  return { '~form': form, '~standard': { version: 1, vendor: 'svc', validate } }
}

function requireBounds({ maxBytes, types = [] }: Bounds) {
  requireBytes(maxBytes, 1)
  const mistyped = types.find((type) => !/^[\w.+-]+\/(?:[\w.+-]+|\*)$/.test(type))
  if (mistyped !== undefined) throw new Error(`"${mistyped}" is not a media type.`)
}

/** The form of a body that isn't JSON. */
export function bodyForm(schema: AnySchema | undefined): BodyForm | undefined {
  return schema && '~form' in schema ? (schema as DeclaredBody)['~form'] : undefined
}

/** What a caller may send as a body of bytes. The type of a `Blob` is sent with it. */
export type SentBytes = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>

/** A body in memory, byte for byte as it was received. */
export interface ReceivedBytes {
  /** The media type that the caller gave it, without parameters. It proves nothing about the bytes. */
  readonly type: string
  readonly bytes: Buffer
}

/** A body in a temporary file, received completely. It can be read until the request is over. */
export interface ReceivedStream {
  /** The media type that the caller gave it, without parameters. It proves nothing about the bytes. */
  readonly type: string
  /** In bytes. */
  readonly size: number
  /** The bytes from the first one on, at every call. */
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

/** A file of a form. */
export interface ReceivedFile extends ReceivedStream {
  /** As the caller named it. Show it, and never use it as a path. */
  readonly name: string
  /** The whole file in memory. */
  readonly bytes: () => Promise<Buffer>
}

type Files = Readonly<Record<string, DeclaredFile>>

type ReceivedFiles<File extends DeclaredFile> = File extends { readonly atMost: number }
  ? ReceivedFile[]
  : File extends { readonly optional: true }
    ? ReceivedFile | undefined
    : ReceivedFile

/** A form with files, received completely. The files can be read until the request is over. */
export interface ReceivedForm<Fields, All extends Files> {
  readonly fields: Fields extends AnySchema ? OutputOf<Fields> : Record<never, never>
  readonly files: { readonly [Name in keyof All]: ReceivedFiles<All[Name]> }
}

interface Form<Fields, All> {
  /** The largest body: the files, the fields, and some hundred bytes around each. A larger one is a 413. */
  maxBytes: number
  /**
   * The schema of the fields, which arrive as text, like those of a query. No fields unless set.
   */
  fields?: Fields
  /** The files by the names of their inputs. */
  files: All
}

/** A form with files: `multipart/form-data`. A part that is not declared is refused. */
export function multipartBody<
  const All extends Files,
  Fields extends AnySchema | undefined = undefined,
>({
  maxBytes,
  fields,
  files,
}: Form<Fields, All>): DeclaredBody<FormData, ReceivedForm<Fields, All>> {
  for (const [name, { atMost = 1, ...bounds }] of Object.entries(files)) {
    requireBounds(bounds)
    if (!Number.isSafeInteger(atMost) || atMost < 1) {
      throw new Error(`The file "${name}" is taken at most ${atMost} times: name a whole number.`)
    }
  }
  return declared({ kind: 'multipart', maxBytes, types: ['multipart/form-data'], fields, files })
}

/** Checks a limit of a body: a whole number that is not less than `least`. */
export function requireBytes(maxBytes: number, least: number) {
  if (Number.isSafeInteger(maxBytes) && maxBytes >= least) return
  throw new Error(`maxBytes must be a whole number of bytes, and is ${maxBytes}.`)
}
