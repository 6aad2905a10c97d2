import { type HandlerContext, type InputData, type Middleware } from '@svc/core'
import { type InputSchemas, type Operation, type Returnable, Route } from '@svc/core/contract'
import { type Auth, authOf } from '../auth.ts'
import { callerOf, getAuth } from '../caller/context.ts'
import { type RequestOrigin, requestOrigin } from '../caller/request-origin.ts'
import type { Access, CallerOf, Contract, Declared } from '../capability/access.ts'
import { asProvable, type ProofWindow } from '../fresh-proof/fresh-caller.ts'
import { proveFresh } from '../fresh-proof/prove-fresh.ts'
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
    const handler = async (c: HandlerContext) => {
      const data = await c.data()
      const caller = await callerFor(declared.access, { operation: name, c, data })
      const origin = requestOrigin(c.raw)
      return run({ auth: authOf(c.raw.server), caller, origin, c, ...data })
    }
    // An application that forgot its global middleware must not open the account of every user: these bring their own.
    const { access, counted, operation } = declared
    const guards = guardsFor(access, { contract: operation.contract, counted })
    const middlewares = [...first, ...guards]
    const route = new Route(bounded(declared), { middlewares, skipped: ['auth'], handler })
    return [name, Object.assign(route, { access, counted })]
  })
  return Object.fromEntries(bound)
}

const windows: ReadonlyMap<Access, ProofWindow> = new Map([
  ['fresh', 'recent'],
  ['fresh for passkeys', 'passkey'],
  ['fresh superadmin', 'operator'],
])

interface Asked {
  operation: string
  c: HandlerContext
  data: { body?: unknown }
}

/** The caller for the handler. If the access asks for a fresh proof, the caller must have given it. */
async function callerFor(access: Access, { operation, c, data }: Asked) {
  const window = windows.get(access)
  if (!window) return callerOf(c)
  const { currentPassword } = (data.body ?? {}) as { currentPassword?: string }
  return proveFresh(authOf(c.raw.server), {
    caller: asProvable(getAuth(c)),
    currentPassword,
    operation,
    window,
    origin: requestOrigin(c.raw),
  })
}

// Enough for the response of an authenticator and for an id token of a provider, which are the largest.
const bodyBytesOfAnybody = 16_384

/** The body is held before the caller is known, so operations that anyone can call take only a small one. */
function bounded({ access, operation }: Declared): Operation {
  const isOpen = access === 'public' || access === 'setup' || access === 'optional'
  return isOpen ? { maxBodyBytes: bodyBytesOfAnybody, ...operation } : operation
}
