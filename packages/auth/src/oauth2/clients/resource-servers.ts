import { type Clock, EnvironmentError } from '@svc/core'
import { isProviderAddress } from '../../providers/providers.ts'
import type { AuthorizationServerOptions, ResourceServerKeys } from '../authorization-server.ts'
import {
  assertionAlgorithms,
  createKeyFinder,
  type DeclaredKeys,
  declaredKeys,
  type KeyFinder,
} from './client-keys.ts'

/** The servers of resources elsewhere that may ask about tokens. */
export interface ResourceServers extends KeyFinder {
  /** False if there are none. Then there is nowhere to ask. */
  readonly isThereOne: boolean
  /** The keys of the server of a resource. Null if it may not ask. */
  declaredBy(resource: string): DeclaredKeys | null
}

export function createResourceServers(
  clock: Clock,
  options: AuthorizationServerOptions | undefined,
): ResourceServers {
  const declared = readResourceServers(options)
  // The operator has named the address, which may be inside the network. No client uses these keys.
  const finder = createKeyFinder(clock, (uri) => ({ url: new URL(uri), isNamed: true }))
  return {
    isThereOne: declared.size > 0,
    declaredBy: (resource) => declared.get(resource) ?? null,
    ...finder,
  }
}

/** Throws if a server is for no resource elsewhere, or has no key to sign with. */
export function readResourceServers(
  options: AuthorizationServerOptions | undefined,
): ReadonlyMap<string, DeclaredKeys> {
  const { resourceServers = {}, resources = [] } = options ?? {}
  const servers = Object.entries(resourceServers)
  const found = servers.map(([resource, given]) => [resource, keysOf(given)] as const)
  const problems = found.flatMap(([resource, keys]) => [
    !(resources.includes(resource) && URL.canParse(resource)) &&
      `authorizationServer.resourceServers has "${resource}", which is no address in resources`,
    !keys &&
      `authorizationServer.resourceServers["${resource}"] has neither a jwksUri that is https nor a jwks with a public key for ${assertionAlgorithms.join(', ')}`,
  ])
  const told = problems.filter((problem) => problem !== false)
  if (told.length > 0) throw new EnvironmentError(told)
  return new Map(found.flatMap(([resource, keys]) => (keys ? [[resource, keys]] : [])))
}

/** Null if there is no usable key, or its address is not https. */
export function keysOf(given: ResourceServerKeys) {
  if ('jwks' in given) return declaredKeys({ jwks: given.jwks })
  return isProviderAddress(given.jwksUri) ? declaredKeys({ jwks_uri: given.jwksUri }) : null
}
