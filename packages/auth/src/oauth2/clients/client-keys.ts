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

/** Finds a key among those that a client or the server of a resource declares. */
export interface KeyFinder {
  /**
   * Null if there is no such key. Throws a `ProviderUnavailableError` if its host can't be reached.
   */
  find(declared: DeclaredKeys, wanted: WantedKey): Promise<KeyObject | null>
}

/**
 * The keys of clients. Of keys that documents declare, a process knows only those that it has read
 * itself.
 */
export interface ClientKeys extends KeyFinder {
  /** What a document declares is valid until the document is read again. */
  keep(clientId: string, declared: DeclaredKeys | null, expiresAt: Date): void
  isKnown(clientId: string): boolean
  /** What the document of a client declares. Null if it declares nothing, or was not read. */
  declaredBy(clientId: string): DeclaredKeys | null
}

// A document has at most 5 KiB, and its keys take up to 40 kB.
const mostClients = 1000

/**
 * An attacker who blocks a client's host must not prolong the use of its key, as with its document.
 */
const staleMillis = 10 * 60_000

export function createClientKeys(clock: Clock, server: AuthorizationServer | null): ClientKeys {
  const known = new Map<string, { declared: DeclaredKeys | null; expiresAt: Date }>()
  const finder = createKeyFinder(clock, (uri) => server && keysAddress(server, uri))

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
    ...finder,
  }
}

/** Where keys are, and whether the operator has named that host. Null if they may not be read. */
type AddressOf = (jwksUri: string) => KeysAddress | null

/** Reads keys at the addresses that are declared, and remembers them for minutes. */
export function createKeyFinder(clock: Clock, addressOf: AddressOf): KeyFinder {
  const sets = createKeySets(clock, { read: (uri) => readKeys(addressOf(uri)), staleMillis })
  return {
    async find({ algorithms, jwksUri, keys }, wanted) {
      if (!algorithms.includes(wanted.alg)) return null
      return jwksUri === null ? pickKey(keys, wanted) : sets.find(jwksUri, wanted)
    },
  }
}

// For 100 keys of RSA with 2048 bits.
const maxBytes = 64 * 1024

interface KeysAddress {
  readonly url: URL
  readonly isNamed: boolean
}

/** A stranger may have chosen the address, as with a document's. */
async function readKeys(address: KeysAddress | null) {
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

/** The parser's own message would quote what a stranger has sent. */
function reasonOf(error: unknown) {
  return error instanceof PublicFetchError ? error.message : 'no key set'
}

/**
 * The algorithms for assertions: those with a private key, never one for which a public key would
 * be enough.
 */
export const assertionAlgorithms = ['ES256', 'RS256', 'PS256', 'EdDSA'] as const

/** The keys that a client declares: in its document, or at an address that it names. */
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

/** Null if the client names no usable key. */
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

/**
 * The same, as a registration returns and stores it: what this server has read of it, and no other
 * member.
 */
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

/** The address of a document about a client, which is exactly the client's id. */
export interface DocumentAddress {
  readonly clientId: string
  /** Whether the operator has named its host. */
  readonly isNamed: boolean
}

/** Null if the id is no such address, or documents from there are not read. */
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
 * query, because one document could have any number of them. And in its normal form, so that one
 * document has one id.
 */
function parseClientId(clientId: string) {
  const url = clientId.length <= 2048 ? URL.parse(clientId) : null
  if (url?.href !== clientId || url.pathname === '/' || /[?#]/.test(clientId)) return null
  return isProviderAddress(clientId) ? url : null
}

/** The address of the keys that a document names, and whether the operator has named that host. */
export function keysAddress(
  { clientDocuments }: AuthorizationServer,
  jwksUri: string,
): KeysAddress | null {
  if (!isProviderAddress(jwksUri)) return null
  const url = new URL(jwksUri)
  const hosts = typeof clientDocuments === 'string' ? [] : clientDocuments.hosts
  return { url, isNamed: hosts.includes(url.host) }
}

/**
 * How a client authenticates at the token endpoint. `none` has no secret, and uses PKCE instead.
 */
export const clientAuthMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const
export type ClientAuthMethod = (typeof clientAuthMethods)[number]
