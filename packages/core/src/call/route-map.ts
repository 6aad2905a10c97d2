import type { Method } from '../routes/operation.ts'

/**
 * Where each operation is, by name. `svc generate` writes it from the router; it is all a browser needs. `headers` are
 * those that the operation takes as input: a web proxy passes on no others.
 */
export type RouteMap = Readonly<
  Record<
    string,
    { readonly method: Method; readonly path: string; readonly headers?: readonly string[] }
  >
>
