import type { AnyContract, Operations, OperationsOf } from './capability/contract.ts'
import { authContracts } from './contracts.ts'

/**
 * Every operation of sign-in by its name, for the type of a client:
 * `createServerApi<AuthContract>({ routeMap: authRouteMap })`.
 */
export type AuthContract = OperationsOf<(typeof authContracts)[number]>

/** Every operation of these contracts, with those who may call it. */
export function operationsOf(contracts: readonly AnyContract[]): Operations {
  return Object.assign({}, ...contracts.map(({ operations }) => operations))
}

/** Every operation of the service. */
export const authContract = operationsOf(authContracts) as AuthContract
