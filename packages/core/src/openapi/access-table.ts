import { inWords, type TableRow } from '../routes/routes.ts'
import { access } from './openapi-access.ts'

/** Who may call a route. */
export interface RouteAccess {
  readonly method: string
  readonly path: string
  readonly name: string
  /** The route's own declaration, such as `may order:read`; null if it has none. */
  readonly access: string | null
  /**
   * The sets of schemes, one of which is enough, as the middleware documents them; null if a
   * middleware documents nothing.
   */
  readonly credentials: readonly (readonly string[])[] | null
  /** The permissions that a caller needs, all of them. */
  readonly permissions: readonly string[]
  /** The limit that each call counts against, before the server reads the body. */
  readonly counted: string | null
}

/** Who may call each route, as its binding or its middleware says. */
export function accessTable(table: readonly TableRow[]): RouteAccess[] {
  return table.map((row) => {
    const { operation, binding } = row.route
    const { security, 'x-svc-permissions': permissions = [] } = documented(row)
    return {
      method: operation.method,
      path: operation.path,
      name: row.name,
      access: binding.access?.who ?? null,
      credentials: security?.map((schemes) => Object.keys(schemes)) ?? null,
      permissions,
      counted: binding.access?.counted ?? limitsOf(row),
    }
  })
}

function limitsOf({ route: { operation } }: TableRow) {
  const { limits = [] } = operation
  return limits.length > 0 ? limits.map(inWords).join(', ') : null
}

interface Documented {
  security?: readonly object[]
  'x-svc-permissions'?: readonly string[]
}

const documented = (row: TableRow): Documented => access(row)
