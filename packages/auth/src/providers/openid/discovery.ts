import { type Clock, systemClock } from '@svc/core'
import { isObject } from '../../is-object.ts'
import { askProvider, isProviderAddress, ProviderUnavailableError } from './ask-provider.ts'

/** What a provider publishes of itself (OpenID Connect Discovery 1.0). */
export interface ProviderMetadata {
  readonly issuer: string
  /** Throws where the provider has not published it, or where it may not be asked there. */
  endpoint(name: EndpointName): string
  readonly tokenEndpointAuthMethods: readonly string[]
}

export type EndpointName =
  | 'authorizationEndpoint'
  | 'tokenEndpoint'
  | 'jwksUri'
  | 'userinfoEndpoint'

export type Discover = (issuer: string) => Promise<ProviderMetadata>

const published: Record<EndpointName, string> = {
  authorizationEndpoint: 'authorization_endpoint',
  tokenEndpoint: 'token_endpoint',
  jwksUri: 'jwks_uri',
  userinfoEndpoint: 'userinfo_endpoint',
}

// A provider that moves says so before.
const freshMillis = 60 * 60_000
// Through an outage of the provider.
const staleMillis = 24 * 60 * 60_000
// Meanwhile it is asked once in this time.
const pauseMillis = 60_000

interface Known {
  readonly metadata: Promise<ProviderMetadata>
  readonly readAt: number
  readonly askAgainAt: number
}

/**
 * Asks each issuer when it is first needed, and again after an hour. What could not be used is not kept: the next one who
 * needs it asks again.
 */
export function createDiscovery(clock: Clock = systemClock): Discover {
  const known = new Map<string, Known>()

  function ask(issuer: string, now: number) {
    const last = known.get(issuer)
    const forget = () => known.delete(issuer)
    const metadata = readMetadata(issuer, forget).catch((error) => {
      forget()
      if (!last || now - last.readAt > staleMillis) throw error
      known.set(issuer, { ...last, askAgainAt: now + pauseMillis })
      return last.metadata
    })
    known.set(issuer, { metadata, readAt: now, askAgainAt: now + freshMillis })
    return metadata
  }

  return (issuer) => {
    const now = clock.now().getTime()
    const last = known.get(issuer)
    return last && now < last.askAgainAt ? last.metadata : ask(issuer, now)
  }
}

async function readMetadata(issuer: string, unusable: () => void): Promise<ProviderMetadata> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { status, json } = await askProvider(address)
  const host = URL.parse(issuer)?.host ?? 'a provider'
  if (status !== 200 || !isObject(json)) {
    throw new ProviderUnavailableError(`${host}: no metadata (${status})`)
  }
  // Whose metadata it is not could name keys of its own (OpenID Connect Discovery 1.0, 4.3).
  if (json['issuer'] !== issuer) {
    throw new ProviderUnavailableError(`${host}: the metadata of another issuer`)
  }
  const methods = json['token_endpoint_auth_methods_supported']
  return {
    issuer,
    tokenEndpointAuthMethods: Array.isArray(methods) ? methods.map(String) : [],
    endpoint(name) {
      const endpoint = json[published[name]]
      if (typeof endpoint === 'string' && isProviderAddress(endpoint)) return endpoint
      unusable()
      throw new ProviderUnavailableError(`${host}: no ${published[name]} in the metadata`)
    },
  }
}
