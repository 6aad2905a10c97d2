import type { Method } from '../routes/operation.ts'

/**
 * Where each operation is, by name. `svc generate` writes it from the router; it is all a browser needs. `headers` are
 * those that the operation takes as input: the web proxy passes on only these.
 */
export type RouteMap = Readonly<
  Record<
    string,
    { readonly method: Method; readonly path: string; readonly headers?: readonly string[] }
  >
>
