import { authorizationServerOf } from '../authorization-server/configured.ts'
import type { AgentNeeds } from './agent-needs.ts'
import { type ClientAuthMethod, clientAuthMethods } from './client-auth-methods.ts'
import { unusable } from './client-metadata.ts'
import { assertionAlgorithms, declarationOf, declaredKeys } from './declared-keys.ts'
import { keysAddress } from './document-address.ts'
import type { ClientMetadata } from './operations.ts'

interface RegisteredAuthentication {
  authMethod: ClientAuthMethod
  /** What it signs with, where it does. */
  declaredKeys: ReturnType<typeof declarationOf> | null
}

/** Unless it says otherwise, a client has a secret (RFC 7591, section 2). One that can do without may have it so. */
export function registeredAuthentication(
  auth: AgentNeeds<'authorizationServer'>,
  metadata: ClientMetadata,
): RegisteredAuthentication {
  const { token_endpoint_auth_method: given = 'client_secret_basic' } = metadata
  const isPublicToo = metadata.token_endpoint_auth_methods_supported?.includes('none') ?? false
  const method = clientAuthMethods.find((each) => each === given) ?? (isPublicToo && 'none')
  if (!method) {
    throw unusable(`The token_endpoint_auth_method is one of ${clientAuthMethods.join(', ')}.`)
  }
  if (method === 'private_key_jwt') return withKeys(auth, metadata, isPublicToo)
  const hasKeys = metadata.jwks !== undefined || metadata.jwks_uri !== undefined
  if (hasKeys && method !== 'none') {
    throw unusable('Keys (jwks, jwks_uri) are for the token_endpoint_auth_method private_key_jwt.')
  }
  return { authMethod: method, declaredKeys: null }
}

// Each is read again for an assertion, by which a stranger can have them read.
const mostKeys = 20

function withKeys(
  auth: AgentNeeds<'authorizationServer'>,
  metadata: ClientMetadata,
  isPublicToo: boolean,
): RegisteredAuthentication {
  const declared = declaredKeys(metadata)
  const jwksUri = declared?.jwksUri ?? null
  const isReadable = jwksUri === null || keysAddress(authorizationServerOf(auth), jwksUri) !== null
  if (declared && isReadable && declared.keys.length <= mostKeys) {
    return { authMethod: 'private_key_jwt', declaredKeys: declarationOf(declared) }
  }
  if (isPublicToo) return { authMethod: 'none', declaredKeys: null }
  throw unusable(
    `For private_key_jwt, name a jwks_uri that is https, or a jwks of up to ${mostKeys} public keys ` +
      `that sign by ${assertionAlgorithms.join(', ')}.`,
  )
}
