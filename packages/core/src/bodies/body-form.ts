import type { AnySchema, StandardSchema } from '../schema/schema.ts'

export interface Bounds {
  /** The largest one that is read: a larger one is a 413. */
  readonly maxBytes: number
  /** The media types that are taken, such as `image/png` or `image/*`: another one is a 415. All unless set. */
  readonly types?: readonly string[]
}

/** A file of a form. */
export interface DeclaredFile extends Bounds {
  /** It may be left out. */
  readonly optional?: true
  /** Up to so many files of this name, as a list. One file, and no list, unless set. */
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

/** What the server has to know of a body that isn't JSON. */
export type BodyForm = BytesForm | MultipartForm

/** The schema of a body that isn't JSON: `.input({ body: bytesBody({ maxBytes: 65_536 }) })`. */
export interface DeclaredBody<Sent = unknown, Received = unknown>
  extends StandardSchema<Sent, Received> {
  readonly '~form': BodyForm
}

export function declared<Sent, Received>(form: BodyForm): DeclaredBody<Sent, Received> {
  requireBounds(form)
  // What a handler gets is made by the server's reader of this form, so there is nothing left to check.
  const validate = (value: unknown) => ({ value: value as Received })
  return { '~form': form, '~standard': { version: 1, vendor: 'svc', validate } }
}

export function requireBounds({ maxBytes, types = [] }: Bounds) {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    throw new Error(`maxBytes must be a whole number of bytes, and is ${maxBytes}.`)
  }
  const mistyped = types.find((type) => !/^[\w.+-]+\/(?:[\w.+-]+|\*)$/.test(type))
  if (mistyped !== undefined) throw new Error(`"${mistyped}" is not a media type.`)
}

/** The form of a body that isn't JSON. */
export function bodyForm(schema: AnySchema | undefined): BodyForm | undefined {
  return schema && '~form' in schema ? (schema as DeclaredBody)['~form'] : undefined
}
