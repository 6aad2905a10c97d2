import { DefinitionError, type Middleware, type TableRow } from '@svc/core'
import type { Capability } from '../capability/capability.ts'

/** Marks a route with the capability that it belongs to. */
export interface CapabilityMark extends Middleware {
  readonly capability: string
}

const isMark = (middleware: Middleware): middleware is CapabilityMark => 'capability' in middleware

/** Refuses routes whose capability the server does not run, and capabilities whose routes it does not serve. */
export function checkServed(routes: readonly TableRow[], capabilities: readonly Capability[]) {
  const served = new Set(
    routes.flatMap(({ middlewares }) =>
      middlewares.filter(isMark).map(({ capability }) => capability),
    ),
  )
  // A server of an application that signs in elsewhere, such as a test's, may have no routes of
  // ours.
  if (served.size === 0) return
  const running = new Set(capabilities.map(({ contract }) => contract.name))
  const problems = [
    ...[...served]
      .filter((name) => !running.has(name))
      .map(
        (name) =>
          `The router has the contract ${name}, and the server does not run it: give its capability to createAuthLifecycle({ capabilities }).`,
      ),
    ...capabilities
      .filter(
        ({ contract }) => !served.has(contract.name) && Object.keys(contract.operations).length > 0,
      )
      .map(
        ({ contract: { name } }) =>
          `createAuthLifecycle has the capability ${name}, and the router does not: give its contract to createAuthRouter({ contracts }).`,
      ),
  ]
  if (problems.length > 0) throw new DefinitionError(problems)
}
