import type { HttpError } from '../errors/http-error.ts'
import type { AnySchema, InputSchemas } from '../schema/schema.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

// Constructors differ in what they take; of a declared error only its instances matter here.
export type ErrorClass = new (...args: never[]) => HttpError

interface DeclaredAnswer {
  readonly schema: AnySchema
  readonly status: number
  /** What the same body may be answered with besides. */
  readonly otherStatuses: readonly number[]
}

/** What an operation is, apart from what it does: everything that documents and clients are made from. */
export interface Operation {
  readonly method: Method
  readonly path: string
  readonly input: InputSchemas
  readonly answer?: DeclaredAnswer
  readonly errors: readonly ErrorClass[]
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly contract?: ContractPlace
}

/** Where an operation is in the contract that clients on devices are built against. */
export interface ContractPlace {
  /** What it is called there, such as `auth.keys.list`. */
  readonly name: string
  /** The device signs its body: see `clientProofV1`. */
  readonly proof: boolean
}

/** The names in a path: `/orders/:orderId` has `orderId`. */
export function parameterNames(path: string) {
  return path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))
}
