import type { RouteMap, RouteMapEntry } from '@svc/core/client'
import type { ErrorClass } from '@svc/core/contract'
import type { AnyContract } from './define-contract.ts'

export type * from './proxied-api.ts'

/**
 * What a client needs of a capability. It has the contract only as a type, so that browsers don't
 * load the schemas.
 */
export interface CapabilityClient<Contract extends AnyContract = AnyContract> {
  // Never set: it carries the type.
  readonly '~contract'?: Contract
  readonly routeMap: RouteMap
  readonly errors: readonly ErrorClass[]
}

/** The contracts of clients. */
export type ContractOf<Client> = Client extends CapabilityClient<infer Contract> ? Contract : never

interface Given<Contract extends AnyContract> {
  /** The paths of its operations: `svc generate` writes it. */
  readonly routeMap: { readonly [Name in keyof Contract['operations']]: RouteMapEntry }
  /** Its errors, from a file that imports no schema. */
  readonly errors?: readonly ErrorClass[]
}

/** The client's half of a capability: `clientOf<typeof magicLink>({ routeMap, errors })`, with the contract as a type. */
export function clientOf<Contract extends AnyContract>({
  routeMap,
  errors = [],
}: Given<Contract>): CapabilityClient<Contract> {
  return { routeMap, errors }
}
