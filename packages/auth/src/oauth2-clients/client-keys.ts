import type { KeyObject } from 'node:crypto'
import { type Clock, parseJson } from '@svc/core'
import type { AuthorizationServer } from '../authorization-server/options.ts'
import { ProviderUnavailableError } from '../openid/ask-provider.ts'
import { createKeySets, pickKey, type WantedKey } from '../openid/key-sets.ts'
import { keysOfSet } from '../openid/read-keys.ts'
import { fetchPublic } from '../public-fetch/fetch-public.ts'
import { PublicFetchError } from '../public-fetch/public-fetch-error.ts'
import { assertionAlgorithms, type DeclaredKeys } from './declared-keys.ts'
import { keysAddress } from './document-address.ts'

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
