import type { Answer } from '../request/client.ts'
import type { RawContext } from '../request/request.ts'
import type { MiddlewareDocuments } from './middleware-documents.ts'

type MiddlewareAnswer = Answer | Response | undefined

/** Runs the middleware after this one, and then the handler. */
export type Next = () => Promise<void>

export type MiddlewareHandler = (
  c: RawContext,
  next: Next,
  // oxlint-disable-next-line typescript/no-invalid-void-type -- a middleware that calls next returns nothing
) => MiddlewareAnswer | void | Promise<MiddlewareAnswer | void>

/** Code that runs around the handlers of routes. `defineMiddleware` makes it. */
export interface Middleware<Name extends string = string> {
  readonly name: Name
  readonly run: MiddlewareHandler
  /** The router's middleware that this one replaces in a route that uses it. */
  readonly skips: readonly string[]
  /**
   * Its requirements and refusals. Without it, documents do not know whether it requires anything.
   */
  readonly documents?: MiddlewareDocuments
}

interface MiddlewareOptions {
  skips?: readonly string[]
  documents?: MiddlewareDocuments
}

/**
 * A middleware has a name, so that a route can `skip` it. It awaits `next` once, or answers, or
 * throws. What it returns after `next` is ignored.
 */
export function defineMiddleware<const Name extends string>(
  name: Name,
  run: MiddlewareHandler,
  { skips = [], documents }: MiddlewareOptions = {},
): Middleware<Name> {
  return { name, run, skips, ...(documents && { documents }) }
}

/** When it resolves, `c.answer` is the answer. */
export type Chain = (c: RawContext) => Promise<void>

/**
 * One function for a route's whole chain, made once at boot. For a request, each middleware costs
 * one closure and no promise of its own: an async function around each of them was a fifth of a
 * request's cost.
 */
export function compose(middlewares: readonly Middleware[], last: Chain): Chain {
  if (middlewares.length === 0) return last
  return (c) => {
    let entered = -1
    let inner: Promise<void> | undefined
    const enter = (index: number): Promise<void> => {
      if (index <= entered) throw new Error(`${named(index - 1)} called next() twice.`)
      entered = index
      const middleware = middlewares[index]
      if (!middleware) return last(c)
      const answer = middleware.run(c, () => (inner = enter(index + 1)))
      if (entered > index) {
        // If it is not async and does not return the result of `next`, it is awaited all the same.
        return answer instanceof Promise ? (answer as Promise<void>) : (inner as Promise<void>)
      }
      return Promise.resolve(answer).then((early) => {
        if (entered > index) return
        if (!early) throw new Error(`${named(index)} neither awaited next() nor answered.`)
        c.answer = early
      })
    }
    return enter(0)
  }
  function named(index: number) {
    return `Middleware "${middlewares[index]?.name}"`
  }
}
