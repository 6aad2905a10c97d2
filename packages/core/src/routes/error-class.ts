import type { HttpError } from '../errors/errors.ts'
import type { AnySchema } from '../schema/schema.ts'

/** A class of errors that a route may declare with `.errors(…)`. */
// Constructors have different parameters. Of a declared error, only its instances matter here.
export type ErrorClass = (new (...args: never[]) => HttpError) & DocumentedError

/** What documents can't read from an instance. */
interface DocumentedError {
  /** Every possible status, if its instances differ. */
  readonly statuses?: readonly number[]
  /** The body that its `wireBody` makes. */
  readonly wireSchema?: AnySchema
}

/** A refusal in a document. */
export interface Refusal {
  status: number
  name: string
  /** Its body, if that is not the envelope. */
  schema?: AnySchema
}
