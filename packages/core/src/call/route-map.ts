import type { Method } from '../routes/operation.ts'

/** Where each operation is, by name. `svc generate` writes it from the router; it is all a browser needs. */
export type RouteMap = Readonly<Record<string, { readonly method: Method; readonly path: string }>>
