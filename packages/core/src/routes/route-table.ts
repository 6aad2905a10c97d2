import { bodyForm } from '../bodies/contract.ts'
import { idempotencyHeader } from '../idempotency/contract.ts'
import { isStandardSchema, propertiesOf } from '../schema/schema.ts'
import { limitCalls } from './limit-calls.ts'
import type { Middleware } from './middleware.ts'
import { parameterNames } from './operation.ts'
import type { AnyRoute, DeviceContract, Router } from './router.ts'

/**
 * A route with its name and its whole chain of middleware: the router's, except those that it
 * skips, then its own.
 */
export interface TableRow {
  readonly name: string
  readonly route: AnyRoute
  readonly middlewares: readonly Middleware[]
  /** Every caller gets an answer, even if the proxy guard is strict. */
  readonly unguarded?: true
  /** The contract of its router, or of the next router around it that has one. */
  readonly contract?: DeviceContract
}

const reservedPrefixes = ['/_core/', '/_auth/', '/_ops/']

/** Flattens a router. It refuses, by name, routes that can't be served as they are declared. */
export function routeTable(root: Router): TableRow[] {
  const rows = collect(root, { middlewares: [] })
  refuseDuplicates(rows)
  return rows
}

type Around = Pick<TableRow, 'middlewares' | 'contract'>

function collect(router: Router, outer: Around): TableRow[] {
  const { contract = outer.contract } = router.options
  const around = [...outer.middlewares, ...router.middlewares]
  const own = Object.entries(router.routes).map(([name, route]) => {
    refuseUnservable(name, route, router)
    const { skipped, middlewares } = route.binding
    const left = new Set([...skipped, ...middlewares.flatMap(({ skips }) => skips)])
    const kept = around.filter((middleware) => !left.has(middleware.name))
    const row = {
      name,
      route,
      middlewares: [
        // An address over its limit is refused before any other work. A caller and a tenant are
        // known only after the middleware that finds them.
        ...limitCalls(route.operation, 'by address'),
        ...kept,
        ...middlewares,
        ...limitCalls(route.operation, 'by caller'),
        ...limitCalls(route.operation, 'by tenant'),
      ],
    }
    refuseUnknownCallers(row)
    refuseUnknownTenants(row)
    return { ...row, ...(contract && { contract }) }
  })
  const inner = { middlewares: around, ...(contract && { contract }) }
  return [...own, ...router.mounted.flatMap((mounted) => collect(mounted, inner))]
}

type Named = Pick<TableRow, 'name' | 'route'>

const refusing =
  ({ name, route: { operation } }: Named) =>
  (why: string): never => {
    throw new Error(`Route "${name}" (${operation.method} ${operation.path}) ${why}`)
  }

/**
 * For routes that depend on the caller: other callers must not be counted with them, or get their
 * answers.
 */
function refuseUnknownCallers(row: TableRow) {
  const { isIdempotent, limits = [] } = row.route.operation
  if (!isIdempotent && !limits.some(({ by }) => by === 'by caller')) return
  const credentials = row.middlewares.flatMap(({ documents }) => documents?.credentials ?? [])
  const isKnown =
    credentials.length > 0 && credentials.every((each) => Object.keys(each).length > 0)
  if (isKnown) return
  refusing(row)(
    `${isIdempotent ? 'is .idempotent()' : "has a limit 'by caller'"}, and needs to know its caller: let in only callers who sign in, or use a middleware that documents its credentials and sets c.caller.`,
  )
}

/** Requests of different tenants must not be counted together. */
function refuseUnknownTenants(row: TableRow) {
  const { limits = [] } = row.route.operation
  if (!limits.some(({ by }) => by === 'by tenant')) return
  if (row.middlewares.some(({ documents }) => documents?.tenant !== undefined)) return
  refusing(row)(
    `has a limit 'by tenant', and no middleware sets c.tenant: let in only members of a tenant, or use a middleware that documents the tenant that it sets.`,
  )
}

function refuseUnservable(name: string, route: AnyRoute, router: Router) {
  const { method, path } = route.operation
  const refuse = refusing({ name, route })
  if (!/^\/(?:(?::[A-Za-z]\w*|[\w.~!$&'()+,;=@-]+)(?:\/(?!$)|$))*$/.test(path)) {
    refuse('has a path that is not made of /literal and /:parameter segments.')
  }
  if (!route.binding.handler) refuse('has no handler: bind one with .handler(…).')
  if (route.binding.isStale && method !== 'GET') refuse('is .stale(), which only a GET may be.')
  if (route.operation.isIdempotent) refuseRepeated(route, refuse)
  refuseSameLimits(route, refuse)
  refusePrefix(path, router.options.owns, refuse)
  refuseParameters(route, refuse)
  refuseBody(route, refuse)
}

function refuseRepeated({ operation }: AnyRoute, refuse: (why: string) => never) {
  const { method, input } = operation
  if (method === 'GET') refuse('is .idempotent(), but a GET changes nothing: remove .idempotent().')
  if (bodyForm(input.body))
    refuse('is .idempotent(), but its body is not JSON: remove .idempotent().')
  if (idempotencyHeader in propertiesOf(input.headers)) return
  refuse(
    'is .idempotent(), and its headers have no idempotency-key: write .idempotent() after .input({ … }), and declare that header where another library than TypeBox declares your headers.',
  )
}

/** The lower limit would always be the one that counts, and both would use one counter. */
function refuseSameLimits(
  { operation: { limits = [] } }: AnyRoute,
  refuse: (why: string) => never,
) {
  const counted = limits.map(({ by, windowMillis }) => `${by} ${windowMillis}`)
  if (new Set(counted).size === counted.length) return
  refuse("has two limits with the same window and the same 'by': leave the higher one out.")
}

function refuseBody({ operation }: AnyRoute, refuse: (why: string) => never) {
  const { method, input, maxBodyBytes, contract } = operation
  if (!bodyForm(input.body)) return
  if (method === 'GET') refuse('is a GET, which has no body.')
  if (input.form) refuse('takes both a body and a form: declare one of them.')
  if (maxBodyBytes !== undefined) refuse('limits its body twice: remove .body({ maxBytes }).')
  // The device's profile signs one spelling of JSON.
  if (contract) refuse('is in the contract of devices, whose bodies are JSON.')
}

function refusePrefix(path: string, owns: string | undefined, refuse: (why: string) => never) {
  const reserved = reservedPrefixes.find((prefix) => `${path}/`.startsWith(prefix))
  if (owns && reserved !== owns) refuse(`is mounted by a package that owns ${owns} only.`)
  if (!owns && reserved) refuse(`is under ${reserved}, which is reserved: choose another path.`)
}

function refuseParameters({ operation }: AnyRoute, refuse: (why: string) => never) {
  const { params } = operation.input
  const names = parameterNames(operation.path)
  if (new Set(names).size < names.length) refuse('names a path parameter twice.')
  if (!params || isStandardSchema(params) || !('properties' in params)) return
  const unknown = Object.keys(params.properties as object).find((name) => !names.includes(name))
  if (unknown) refuse(`takes the parameter "${unknown}", which its path does not have.`)
}

function refuseDuplicates(rows: readonly TableRow[]) {
  const byName = new Map<string, string>()
  const byShape = new Map<string, string>()
  for (const { name, route } of rows) {
    const { method, path } = route.operation
    const address = `${method} ${path}`
    // `/orders/:id` and `/orders/:orderId` match the same requests.
    const shape = address.replace(/:\w+/g, ':')
    const namesake = byName.get(name)
    if (namesake) throw new Error(`Two routes are named "${name}": ${namesake} and ${address}.`)
    const twin = byShape.get(shape)
    if (twin) throw new Error(`Routes "${twin}" and "${name}" are both ${address}.`)
    byName.set(name, address)
    byShape.set(shape, name)
  }
}
