import type {
  Credential,
  MiddlewareDocuments,
  Operation,
  SecurityScheme,
} from '../routes/contract.ts'
import type { Middleware, TableRow } from '../routes/routes.ts'

/** The documentation of the middleware around a route, and then that of the route. */
export function documentsOf({ route, middlewares }: TableRow): MiddlewareDocuments[] {
  return [...middlewares.map(({ documents }) => documents), route.operation.asks].filter(
    (each) => each !== undefined,
  )
}

/** What a caller has to prove. An empty `security` says that a caller needs no credential. */
export function access(row: TableRow) {
  const all = documentsOf(row)
  const guards = all.flatMap(({ credentials }) => (credentials ? [credentials] : []))
  const isOpen = guards.length === 0
  const isKnown = !isOpen || row.middlewares.every(({ documents }) => documents)
  const security = guards.reduce(both, [{}]).map(requirement)
  return {
    // A middleware without documentation may ask for anything, so the document says nothing about
    // who may call.
    ...(isKnown && { security: isOpen ? [] : security }),
    ...extensions(all),
  }
}

/** A caller has to pass one guard and the next. */
function both(first: readonly Credential[], second: readonly Credential[]) {
  return first.flatMap((one) => second.map((other) => ({ ...one, ...other })))
}

function requirement(credential: Credential) {
  return Object.fromEntries(Object.keys(credential).map((name) => [name, []]))
}

function extensions(all: readonly MiddlewareDocuments[]) {
  const together: Record<string, string[]> = {}
  for (const [name, values] of all.flatMap((each) => Object.entries(each.extensions ?? {}))) {
    together[name] = [...(together[name] ?? []), ...values]
  }
  return together
}

/** The operation's own words, and a sentence for each middleware that has one. */
export function descriptionOf({ description }: Operation, all: readonly MiddlewareDocuments[]) {
  const words = [description, ...all.map(({ requires }) => requires)].filter(Boolean)
  return words.length > 0 && words.join('\n\n')
}

export function securitySchemes(table: readonly TableRow[]): Record<string, SecurityScheme> {
  const credentials = table.flatMap(documentsOf).flatMap((each) => each.credentials ?? [])
  return Object.assign({}, ...credentials)
}

/** The same routes, with further credentials beside those of a name. */
export function withCredentials(
  table: readonly TableRow[],
  further: readonly (readonly [string, Credential])[],
): TableRow[] {
  const describe = (middleware: Middleware): Middleware => {
    const { documents } = middleware
    if (!documents?.credentials) return middleware
    const credentials = documents.credentials.flatMap((given) => [
      given,
      ...further.flatMap(([name, other]) => (name in given ? [other] : [])),
    ])
    return { ...middleware, documents: { ...documents, credentials } }
  }
  return table.map((row) => ({ ...row, middlewares: row.middlewares.map(describe) }))
}
