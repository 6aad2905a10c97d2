import { type Clock, systemClock } from '@svc/core'
import { isObject } from '../../is-object.ts'
import { askProvider, isProviderAddress, ProviderUnavailableError } from './ask-provider.ts'

/** A provider's metadata (OpenID Connect Discovery 1.0). */
export interface ProviderMetadata {
  readonly issuer: string
  /** Throws if the provider does not publish it, or if its address is not allowed. */
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

// A provider announces a move earlier than that.
const freshMillis = 60 * 60_000
// Used during an outage of the provider.
const staleMillis = 24 * 60 * 60_000
// During an outage, the provider is asked once in this time.
const pauseMillis = 60_000

interface Known {
  readonly metadata: Promise<ProviderMetadata>
  readonly readAt: number
  readonly askAgainAt: number
}

/**
 * Reads each issuer's metadata on first use, and again after an hour. A failure is not stored: the
 * next caller tries again.
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
  // Metadata of another issuer could name its own keys (OpenID Connect Discovery 1.0, 4.3).
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
