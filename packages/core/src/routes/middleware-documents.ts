import type { ErrorClass, Refusal } from './error-class.ts'

/** A way to prove who is asking, as OpenAPI's `components.securitySchemes` has it. */
export type SecurityScheme = Readonly<{
  type: string
  description?: string
  [member: string]: unknown
}>

/** Schemes by name that are shown together. */
export type Credential = Readonly<Record<string, SecurityScheme>>

/** What documents say of a middleware: what it asks of a request, and how it refuses one. */
export interface MiddlewareDocuments {
  /** One of these is enough. An empty one is of nobody. */
  readonly credentials?: readonly Credential[]
  /** A sentence on what else it asks. */
  readonly requires?: string
  readonly errors?: readonly ErrorClass[]
  /** What no class stands for by itself. */
  readonly refusals?: readonly Refusal[]
  /** Every refusal but a 404 leaves in the form of this class. */
  readonly rewords?: ErrorClass
  /** Members of the operation in OpenAPI, such as `x-svc-permissions`. */
  readonly extensions?: Readonly<Record<`x-${string}`, readonly string[]>>
}
