import { type HandlerContext, type InputData, type Middleware } from '@svc/core'
import { type InputSchemas, type Returnable, Route } from '@svc/core/contract'
import type { Access, CallerOf, Contract, Declared } from './access.ts'
import { type Auth, authOf } from './auth.ts'
import { callerOf } from './authenticate/context.ts'
import { type RequestOrigin, requestOrigin } from './authenticate/request-origin.ts'
import { guardsFor } from './guards.ts'

/** What an operation is given. */
type Given<Who extends Access, Input extends InputSchemas> = {
  auth: Auth
  caller: CallerOf<Who>
  /** Where the request came from, for what is kept of it. */
  origin: RequestOrigin
  c: HandlerContext<Input>
} & InputData<Input>

type Handlers<All extends Contract> = {
  [Name in keyof All]: All[Name] extends Declared<infer Who, Route<infer Input, infer Body>>
    ? (given: Given<Who, Input>) => Returnable<Body> | Promise<Returnable<Body>>
    : never
}

/**
 * Binds a contract to what it does. Every route gets the middleware that its `access` stands for, and before it that of
 * `first`.
 */
export function implement<All extends Contract>(
  contract: All,
  handlers: Handlers<All>,
  { first = [] }: { first?: readonly Middleware[] } = {},
): All {
  const bound = Object.entries(contract).map(([name, declared]) => {
    const run = handlers[name] as (given: unknown) => unknown
    const handler = async (c: HandlerContext) =>
      run({
        auth: authOf(c.raw.server),
        caller: callerOf(c),
        origin: requestOrigin(c.raw),
        c,
        ...(await c.data()),
      })
    // An application that forgot its global middleware must not open the account of every user: these bring their own.
    const middlewares = [...first, ...guardsFor(declared.access, declared.operation.contract)]
    const route = new Route(declared.operation, { middlewares, skipped: ['auth'], handler })
    return [name, Object.assign(route, { access: declared.access })]
  })
  return Object.fromEntries(bound)
}
