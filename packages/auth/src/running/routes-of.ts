import { defineMiddleware, type HandlerContext, type Middleware, NotFoundError } from '@svc/core'
import { type AnyRoute, type Operation, Route } from '@svc/core/contract'
import { findStanding, requestOrigin } from '../caller/caller.ts'
import type { AnyContract, Declared } from '../capability/contract.ts'
import { answerWithin } from './answer-within.ts'
import { callerFor } from './caller-for.ts'
import type { CapabilityMark } from './check-served.ts'
import { formAsGet } from './form-as-get.ts'
import { guardsFor, isCounted } from './guards.ts'
import { runningCapability } from './running-capabilities.ts'

interface Place {
  readonly contract: AnyContract
  readonly name: string
}

/**
 * The routes of a capability, by its contract alone. The handler of an operation is found on the
 * server that got the request, so that options belong to a server and not to this process.
 */
export function routesOf(contract: AnyContract): Record<string, AnyRoute> {
  const operations = Object.entries<Declared>(contract.operations)
  return Object.fromEntries(
    operations.map(([name, declared]) => [name, routeOf({ contract, name }, declared)]),
  )
}

function routeOf(place: Place, declared: Declared) {
  const { access, counted, support, operation } = declared
  const handler = async (c: HandlerContext) => {
    const running = runningCapability(c.raw.server, place.contract)
    const data = await c.data()
    const caller = await callerFor(access, { operation: place.name, c, data })
    const standing = findStanding(c.raw)
    const given = { caller, origin: requestOrigin(c.raw), c, ...(standing && { standing }) }
    return running.handle(place.name, { ...given, ...data })
  }
  // An application that forgot its global middleware must not open the account of every user, so
  // these routes bring their own.
  const { tenant } = place.contract
  const guards = guardsFor(access, { contract: operation.contract, counted, support, tenant })
  const middlewares = [servedBy(place.contract), ...before(place, operation), ...guards]
  const route = new Route(bounded(declared), {
    middlewares,
    skipped: ['auth'],
    handler,
    access: { who: access, ...(isCounted(counted) && { counted }) },
  })
  return Object.assign(route, { access, counted, support })
}

/** Names the capability of a route, so that the start can check whether the server runs it. */
const servedBy = ({ name }: AnyContract): CapabilityMark => ({
  ...defineMiddleware('auth-capability', (_c, next) => next(), { documents: {} }),
  capability: name,
})

/**
 * Runs before everything else: a caller without a credential must not learn that the operation may
 * exist.
 */
function before({ contract, name }: Place, { path }: Operation): Middleware[] {
  const { requires, rewords, answersWithin, forms } = contract
  const counted = forms[name]
  const millis = answersWithin[name]
  const form = rewords[name]
  return [
    ...(requires === undefined ? [] : [whereItIs({ contract, name }, requires)]),
    ...(form === undefined ? [] : [reworded(contract, form)]),
    ...(counted === undefined ? [] : [formAsGet({ path, counted })]),
    ...(millis === undefined ? [] : [answerWithin(millis)]),
  ]
}

const whereItIs = ({ contract, name }: Place, requires: string) =>
  defineMiddleware(
    `${contract.name}-is-there`,
    (c, next) => {
      if (!runningCapability(c.server, contract).isThere(name)) {
        throw new NotFoundError({ resource: 'Route' })
      }
      return next()
    },
    { documents: { requires, errors: [NotFoundError] } },
  )

const reworded = (contract: AnyContract, rewords: AnyContract['rewords'][string]) =>
  defineMiddleware(
    `${contract.name}-words`,
    async (c, next) => {
      try {
        await next()
      } catch (error) {
        throw runningCapability(c.server, contract).reword(error)
      }
    },
    { documents: { rewords } },
  )

// Enough for an authenticator's response and for a provider's id token, which are the largest.
const bodyBytesOfAnybody = 16_384

/**
 * The body is buffered before the caller is known, so operations that anyone can call accept only a
 * small one.
 */
function bounded({ access, operation }: Declared): Operation {
  const isOpen = access === 'public' || access === 'setup' || access === 'optional'
  return isOpen ? { maxBodyBytes: bodyBytesOfAnybody, ...operation } : operation
}
