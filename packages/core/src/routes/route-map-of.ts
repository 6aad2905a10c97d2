import { bodyForm } from '../bodies/body-form.ts'
import { propertiesOf } from '../schema/json-schema.ts'
import type { AnySchema } from '../schema/schema.ts'
import { takesEmpty } from '../schema/takes-empty.ts'
import type { Operation } from './operation.ts'
import type { RouteMap } from './route-map.ts'
import { defineRouter, type Router } from './router.ts'

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
