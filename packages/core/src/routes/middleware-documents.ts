import type { ErrorClass, Refusal } from './error-class.ts'

/** A way to prove who calls, in the form of OpenAPI's `components.securitySchemes`. */
export type SecurityScheme = Readonly<{
  type: string
  description?: string
  [member: string]: unknown
}>

/** Schemes by name that must be used together. */
export type Credential = Readonly<Record<string, SecurityScheme>>

/** What documents say about a middleware: what it needs of a request, and how it refuses one. */
export interface MiddlewareDocuments {
  /** One of these is enough. An empty one means that a caller needs no credentials. */
  readonly credentials?: readonly Credential[]
  /** It sets `c.tenant`, which is the id of one of these: `organization`. */
  readonly tenant?: string
  /** A sentence about its other requirements. */
  readonly requires?: string
  readonly errors?: readonly ErrorClass[]
  /** Refusals that have no class of their own. */
  readonly refusals?: readonly Refusal[]
  /** Every refusal but a 401, a 403 and a 404 is sent in the form of this class. */
  readonly rewords?: ErrorClass
  /** Members of the operation in OpenAPI, such as `x-svc-permissions`. */
  readonly extensions?: Readonly<Record<`x-${string}`, readonly string[]>>
}
