import type { Method } from './operation.ts'

/** Where each operation is, by name. `svc generate` writes it from the router; it is all a browser needs. */
export type RouteMap = Readonly<Record<string, RouteMapEntry>>

export interface RouteMapEntry {
  readonly method: Method
  readonly path: string
  /** Those that the operation takes as input: the web proxy passes on only these. */
  readonly headers?: readonly string[]
  /** Every member of its body is optional: a call without a body sends `{}`. */
  readonly emptyBody?: true
  /** Its body isn't JSON. The web proxy holds one of this size until the API has answered. */
  readonly rawBody?: { readonly maxBytes: number }
}
