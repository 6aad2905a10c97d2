import { bodyForm } from '../bodies/contract.ts'
import type { RouteLimit } from '../limits/contract.ts'
import type { AnySchema, InputSchemas } from '../schema/schema.ts'
import type { ErrorClass } from './error-class.ts'
import type { MiddlewareDocuments } from './middleware-documents.ts'

/** The HTTP methods that a route can have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface DeclaredAnswer {
  readonly schema: AnySchema
  readonly status: number
  /** Other statuses with the same body. */
  readonly otherStatuses: readonly number[]
}

/** An operation without its handler: everything that documents and clients are made from. */
export interface Operation {
  readonly method: Method
  readonly path: string
  readonly input: InputSchemas
  readonly answer?: DeclaredAnswer
  readonly errors: readonly ErrorClass[]
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** What its handler itself requires of a request, as a middleware would. */
  readonly asks?: MiddlewareDocuments
  /** The largest body that it accepts; the server's limit unless set. */
  readonly maxBodyBytes?: number
  /** A request with a repeated `Idempotency-Key` gets the same answer. */
  readonly isIdempotent?: true
  /** How often it may be called. */
  readonly limits?: readonly RouteLimit[]
  readonly contract?: ContractPlace
}

/** The place of an operation in the contract that device clients are built against. */
export interface ContractPlace {
  /** Its name there, such as `auth.keys.list`. */
  readonly name: string
  /** The device signs its body: see `clientProofV1`. */
  readonly proof: boolean
}

/** The largest body that an operation accepts, if it says so itself. */
export function boundOf({ input, maxBodyBytes }: Operation) {
  return bodyForm(input.body)?.maxBytes ?? maxBodyBytes
}

/** Whether the body of an operation goes to a file before it is processed. */
export function isInFile({ input }: Operation) {
  return (bodyForm(input.body)?.kind ?? 'bytes') !== 'bytes'
}

/** The names in a path: `/orders/:orderId` has `orderId`. */
export function parameterNames(path: string) {
  return path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))
}
