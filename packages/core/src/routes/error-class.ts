import type { HttpError } from '../errors/errors.ts'
import type { AnySchema } from '../schema/schema.ts'

// Constructors differ in what they take; of a declared error only its instances matter here.
export type ErrorClass = (new (...args: never[]) => HttpError) & DocumentedError

/** What documents cannot read from an instance. */
interface DocumentedError {
  /** Every status that it may have, where its instances differ. */
  readonly statuses?: readonly number[]
  /** The body that its `wireBody` makes. */
  readonly wireSchema?: AnySchema
}

/** A refusal as documents tell it. */
export interface Refusal {
  status: number
  name: string
  /** Its body, where that is not the envelope. */
  schema?: AnySchema
}
