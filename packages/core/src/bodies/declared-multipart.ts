import type { AnySchema, OutputOf } from '../schema/schema.ts'
import { type DeclaredBody, type DeclaredFile, declared, requireBounds } from './body-form.ts'
import type { ReceivedStream } from './declared-body.ts'

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

/** A form with files, which has arrived as a whole. The files can be read until the request is over. */
export interface ReceivedForm<Fields, All extends Files> {
  readonly fields: Fields extends AnySchema ? OutputOf<Fields> : Record<never, never>
  readonly files: { readonly [Name in keyof All]: ReceivedFiles<All[Name]> }
}

interface Form<Fields, All> {
  /** The largest body: the files, the fields, and some hundred bytes around each. A larger one is a 413. */
  maxBytes: number
  /** The schema of the fields, which arrive as text, as those of a query do. No fields unless set. */
  fields?: Fields
  /** The files by the names of their inputs. */
  files: All
}

/** A form with files: `multipart/form-data`. What is not declared is refused. */
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
