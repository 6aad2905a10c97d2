import { ServiceUnavailableError, TooManyRequestsError } from '../errors/contract.ts'
import type { CountedBy, RouteLimit } from '../limits/contract.ts'
import { addressSubject, clientAddress, type RawContext } from '../request/request.ts'
import { defineMiddleware, type Middleware } from './middleware.ts'
import type { Operation } from './operation.ts'

/** The middleware that enforces the limits that a route declares. */
export function limitCalls(operation: Operation, counted: CountedBy): Middleware[] {
  const { limits = [] } = operation
  return limits.filter(({ by }) => by === counted).map((limit) => limitOf(operation, limit))
}

function limitOf({ method, path }: Operation, limit: RouteLimit) {
  const name = `${method} ${path}`
  return defineMiddleware(
    `limit ${limit.by}`,
    async (c, next) => {
      await c.server.limits.take(name, subjectOf(c, limit), limit)
      await next()
    },
    {
      documents: {
        requires: `At most ${inWords(limit)}.`,
        errors: [TooManyRequestsError, ServiceUnavailableError],
      },
    },
  )
}

function subjectOf(c: RawContext, { by }: RouteLimit) {
  if (by === 'by caller') return callerOf(c)
  if (by === 'by tenant') return tenantOf(c)
  const address = clientAddress(c)
  return address && addressSubject(address)
}

/**
 * The account that calls. If a route needs one, but no middleware asks for a credential, the server
 * does not start.
 */
function callerOf({ caller, req }: RawContext) {
  if (caller !== undefined) return caller
  throw new Error(
    `The caller of ${req.method} ${req.target} is unknown: set c.caller in its middleware.`,
  )
}

/** If no middleware of a route sets it, the server does not start. */
function tenantOf({ tenant, req }: RawContext) {
  if (tenant !== undefined) return tenant
  throw new Error(
    `The tenant of ${req.method} ${req.target} is unknown: set c.tenant in its middleware.`,
  )
}

const windows = new Map([
  [60_000, 'a minute'],
  [3_600_000, 'an hour'],
  [86_400_000, 'a day'],
])

/** `10 calls a minute from each caller`. */
export function inWords({ limit, windowMillis, by }: RouteLimit) {
  const window = windows.get(windowMillis) ?? `in ${windowMillis / 1000} s`
  return `${limit} calls ${window} ${by.replace('by', 'from each')}`
}
