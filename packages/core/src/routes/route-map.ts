import { bodyForm } from '../bodies/contract.ts'
import { type AnySchema, propertiesOf, takesEmpty } from '../schema/schema.ts'
import type { Method, Operation } from './operation.ts'
import { defineRouter, type Router } from './router.ts'

/**
 * The address of each operation, by name. `svc generate` writes it from the router. A browser needs
 * nothing else.
 */
export type RouteMap = Readonly<Record<string, RouteMapEntry>>

/** The address of an operation, and what a client must know to send its input. */
export interface RouteMapEntry {
  readonly method: Method
  readonly path: string
  /** The headers that are input of the operation: the web proxy passes on only these. */
  readonly headers?: readonly string[]
  /** Every member of its body is optional: a call without a body sends `{}`. */
  readonly emptyBody?: true
  /** Its body isn't JSON. The web proxy keeps one of this size until the API has answered. */
  readonly rawBody?: { readonly maxBytes: number }
}

/** The route map of a router's own routes; a package brings its own map with its own client. */
export function routeMapOf(router: Router = defineRouter({})): RouteMap {
  const entries = Object.entries(router.routes).map(
    ([name, { operation }]) => [name, mapped(operation)] as const,
  )
  return Object.fromEntries(entries)
}

function mapped({ method, path, input }: Operation): RouteMap[string] {
  const headers = Object.keys(propertiesOf(input.headers)).map((name) => name.toLowerCase())
  return {
    method,
    path,
    ...(headers.length > 0 && { headers }),
    ...bodyOf(input.body),
  }
}

function bodyOf(schema: AnySchema | undefined): Pick<RouteMap[string], 'emptyBody' | 'rawBody'> {
  const form = bodyForm(schema)
  if (form) return { rawBody: { maxBytes: form.maxBytes } }
  return takesEmpty(schema) ? { emptyBody: true } : {}
}
