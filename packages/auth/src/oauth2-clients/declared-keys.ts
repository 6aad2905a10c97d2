import { keysOfSet, type PublishedKey, type SigningAlgorithm } from '../openid/read-keys.ts'

/** What an assertion may be signed with: by a private key, and with nothing that a public one could make. */
export const assertionAlgorithms = ['ES256', 'RS256', 'PS256', 'EdDSA'] as const

/** The keys that a client says are its own: in its document, or at an address that it names. */
export interface DeclaredKeys {
  readonly keys: readonly PublishedKey[]
  readonly jwksUri: string | null
  readonly algorithms: readonly SigningAlgorithm[]
}

/** Members of a registration or a document (RFC 7591, section 2). */
export interface Declaring {
  readonly jwks?: unknown
  readonly jwks_uri?: string | undefined
  readonly token_endpoint_auth_signing_alg?: string | undefined
}

/** Null where the client names no key that could be used. */
export function declaredKeys({
  jwks,
  jwks_uri,
  token_endpoint_auth_signing_alg: promised,
}: Declaring): DeclaredKeys | null {
  const algorithms = assertionAlgorithms.filter(
    (each) => promised === undefined || promised === each,
  )
  const jwksUri = jwks_uri ?? null
  const keys = keysOfSet(jwks, algorithms) ?? []
  const hasOne = jwksUri !== null || keys.length > 0
  return hasOne && algorithms.length > 0 ? { keys, jwksUri, algorithms } : null
}

/** The same, as a registration is answered and kept: with what this server has read of it, and no member beyond. */
export function declarationOf({ keys, jwksUri, algorithms }: DeclaredKeys) {
  const [promised] = algorithms.length === 1 ? algorithms : []
  return {
    ...(jwksUri === null ? { jwks: { keys: keys.map(jwkOf) } } : { jwks_uri: jwksUri }),
    ...(promised && { token_endpoint_auth_signing_alg: promised }),
  }
}

function jwkOf({ kid, key, algorithms }: PublishedKey) {
  const [alg] = algorithms.length === 1 ? algorithms : []
  return {
    ...key.export({ format: 'jwk' }),
    ...(kid !== undefined && { kid }),
    ...(alg && { alg }),
  }
}
