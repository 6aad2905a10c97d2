import { isObject } from '../is-object.ts'
import { askProvider, ProviderUnavailableError } from './ask-provider.ts'
import { isProviderAddress } from './provider-address.ts'

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

/** Asks each issuer once, when it is first needed; one that could not be asked is asked again. */
export function createDiscovery(): Discover {
  const known = new Map<string, Promise<ProviderMetadata>>()
  return (issuer) => {
    const asked = known.get(issuer) ?? readMetadata(issuer)
    known.set(issuer, asked)
    asked.catch(() => known.get(issuer) === asked && known.delete(issuer))
    return asked
  }
}

async function readMetadata(issuer: string): Promise<ProviderMetadata> {
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
      throw new ProviderUnavailableError(`${host}: no ${published[name]} in the metadata`)
    },
  }
}
