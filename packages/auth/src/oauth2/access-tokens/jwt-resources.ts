import { EnvironmentError } from '@svc/core'
import {
  type IdTokenAlgorithm,
  keyFor,
  type SigningKey,
  type SigningKeys,
} from '../id-tokens/id-tokens.ts'

/**
 * The access tokens of a resource elsewhere are JWTs (RFC 9068), which its server can check without asking. Until one
 * expires, no end of access reaches that server.
 */
export interface JwtAccessTokens {
  /** From 60 to 3600; 300 unless set. For so long, a token that is revoked here still works there. */
  readonly lifetimeSeconds?: number
  /** That of the first key unless set. */
  readonly algorithm?: IdTokenAlgorithm
}

/** How the tokens of a resource are made. */
export interface JwtResource {
  readonly lifetimeSeconds: number
  readonly key: SigningKey
}

/** By the resource, as it is in `resources`. */
export type JwtResources = ReadonlyMap<string, JwtResource>

interface Given {
  readonly jwtAccessTokens?: Readonly<Record<string, JwtAccessTokens>>
  readonly resources?: readonly string[]
}

/** Throws if one is no resource elsewhere, or if no key can sign its tokens. */
export function readJwtResources(
  { jwtAccessTokens = {}, resources = [] }: Given,
  keys: SigningKeys | null,
): JwtResources {
  const given = Object.entries(jwtAccessTokens)
  const problems = given.flatMap(([resource, { lifetimeSeconds, algorithm }]) => [
    !(resources.includes(resource) && URL.canParse(resource)) &&
      `authorizationServer.jwtAccessTokens has "${resource}", which is no address in resources`,
    !isLifetime(lifetimeSeconds) &&
      `authorizationServer.jwtAccessTokens["${resource}"] needs lifetimeSeconds of whole seconds from 60 to 3600`,
    keys &&
      !keyFor(keys, algorithm) &&
      `authorizationServer.jwtAccessTokens["${resource}"] has the algorithm ${algorithm}, and no key of SVC_AUTH_OPENID_KEYS has it`,
  ])
  const told = problems.filter((problem) => typeof problem === 'string')
  if (told.length > 0) throw new EnvironmentError(told)
  return new Map(given.flatMap((entry) => jwtResource(entry, keys)))
}

function jwtResource(
  [resource, { lifetimeSeconds = 300, algorithm }]: [string, JwtAccessTokens],
  keys: SigningKeys | null,
): [string, JwtResource][] {
  const key = keys && keyFor(keys, algorithm)
  return key ? [[resource, { lifetimeSeconds, key }]] : []
}

const isLifetime = (seconds = 300) =>
  Number.isSafeInteger(seconds) && seconds >= 60 && seconds <= 3600
