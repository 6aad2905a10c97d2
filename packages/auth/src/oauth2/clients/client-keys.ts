import type { KeyObject } from 'node:crypto'
import { type Clock, parseJson } from '@svc/core'
import { fetchPublic, PublicFetchError } from '@svc/core/fetch'
import {
  createKeySets,
  isProviderAddress,
  keysOfSet,
  ProviderUnavailableError,
  type PublishedKey,
  pickKey,
  type SigningAlgorithm,
  type WantedKey,
} from '../../providers/providers.ts'
import type { AuthorizationServer } from '../authorization-server.ts'

/** The keys of clients. Of those that documents declare, a process knows the ones that it has read itself. */
export interface ClientKeys {
  /** What a document says holds until the document is read again. */
  keep(clientId: string, declared: DeclaredKeys | null, expiresAt: Date): void
  isKnown(clientId: string): boolean
  /** What the document of a client declares. Null where that is nothing, or the document was not read. */
  declaredBy(clientId: string): DeclaredKeys | null
  /** Null where there is no such key. Throws a `ProviderUnavailableError` where its host cannot be asked. */
  find(declared: DeclaredKeys, wanted: WantedKey): Promise<KeyObject | null>
}

// A document has 5 KiB, and its keys take up to 40 kB.
const mostClients = 1000

/** Like its document, the key of a client is not used for longer because its host is held down. */
const staleMillis = 10 * 60_000

export function createClientKeys(clock: Clock, server: AuthorizationServer | null): ClientKeys {
  const known = new Map<string, { declared: DeclaredKeys | null; expiresAt: Date }>()
  const sets = createKeySets(clock, { read: (uri) => readClientKeys(server, uri), staleMillis })

  function current(clientId: string) {
    const entry = known.get(clientId)
    return entry && entry.expiresAt > clock.now() ? entry : null
  }

  return {
    keep(clientId, declared, expiresAt) {
      known.delete(clientId)
      const [first] = known.keys()
      if (first !== undefined && known.size >= mostClients) known.delete(first)
      known.set(clientId, { declared, expiresAt })
    },
    isKnown: (clientId) => current(clientId) !== null,
    declaredBy: (clientId) => current(clientId)?.declared ?? null,
    async find({ algorithms, jwksUri, keys }, wanted) {
      if (!algorithms.includes(wanted.alg)) return null
      return jwksUri === null ? pickKey(keys, wanted) : sets.find(jwksUri, wanted)
    },
  }
}

// For 100 keys of RSA with 2048 bits.
const maxBytes = 64 * 1024

/** A stranger has named the address, as that of the document. */
async function readClientKeys(server: AuthorizationServer | null, jwksUri: string) {
  const address = server && keysAddress(server, jwksUri)
  if (!address) throw new ProviderUnavailableError('the keys of a client: not over TLS')
  const { url, isNamed } = address
  try {
    const { status, body } = await fetchPublic(url, { isNamed, maxBytes })
    const keys = status === 200 ? keysOfSet(parseJson(body), assertionAlgorithms) : null
    if (keys) return keys
    throw new PublicFetchError(`no key set (${status})`)
  } catch (error) {
    throw new ProviderUnavailableError(`${url.host}: ${reasonOf(error)}`)
  }
}

/** The parser's own words would quote what a stranger has sent. */
function reasonOf(error: unknown) {
  return error instanceof PublicFetchError ? error.message : 'no key set'
}

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

/** Where a document about a client is: its id, and nothing but it. */
export interface DocumentAddress {
  readonly clientId: string
  /** The operator has named its host. */
  readonly isNamed: boolean
}

/** Null where the id is no such address, or documents are not read from there. */
export function documentAddress(
  { clientDocuments }: AuthorizationServer,
  clientId: string,
): DocumentAddress | null {
  const url = clientDocuments === 'off' ? null : parseClientId(clientId)
  if (!url || clientDocuments === 'off') return null
  if (clientDocuments !== 'anywhere') {
    return clientDocuments.hosts.includes(url.host) ? { clientId, isNamed: true } : null
  }
  return url.protocol === 'https:' && url.port === '' ? { clientId, isNamed: false } : null
}

/**
 * With a path, so that the owner of one path on a host does not speak for all of it. Without a
 * query, which one document could have any number of. And in its normal form, so that one document
 * has one id.
 */
function parseClientId(clientId: string) {
  const url = clientId.length <= 2048 ? URL.parse(clientId) : null
  if (url?.href !== clientId || url.pathname === '/' || /[?#]/.test(clientId)) return null
  return isProviderAddress(clientId) ? url : null
}

/** Where a document says that its client's keys are, and whether the operator has named that host. */
export function keysAddress({ clientDocuments }: AuthorizationServer, jwksUri: string) {
  if (!isProviderAddress(jwksUri)) return null
  const url = new URL(jwksUri)
  const hosts = typeof clientDocuments === 'string' ? [] : clientDocuments.hosts
  return { url, isNamed: hosts.includes(url.host) }
}

/** How a client shows at the token endpoint that it is the one. `none` has no secret to show, and PKCE in its place. */
export const clientAuthMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const
export type ClientAuthMethod = (typeof clientAuthMethods)[number]
