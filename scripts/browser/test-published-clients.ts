import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import published from '../../packages/auth/src/oauth2/clients/testing/test-published-clients.json' with {
  type: 'json',
}

const keyId = 'theirs'

/** A document that the maker of an agent publishes. */
interface PublishedDocument {
  /** Its address on the host that stands in for the maker's. It is the id of the client. */
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Whether the client has a key, and signs for its tokens. */
  readonly isSigning: boolean
}

export interface TestPublishedClients {
  /** The host of the documents, with its port. */
  readonly host: string
  readonly documents: readonly PublishedDocument[]
  /** What agents without a document send to be registered. */
  readonly registrations: typeof published.registrations
  /** The key of the clients that sign. */
  readonly key: { readonly keyId: string; readonly privateKey: KeyObject }
  readonly stop: () => void
}

/** What makers of agents publish: a host on this machine stands in for theirs, and has their documents and keys. */
export async function startPublishedClients(): Promise<TestPublishedClients> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }
  const server = createServer(({ url }, response) => {
    const document: object | undefined = published.documents[Number(url?.slice(1))]
    const said = document && {
      ...document,
      client_id: `${origin}${url}`,
      ...('jwks_uri' in document && { jwks_uri: `${origin}/keys` }),
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(said ?? { keys: [jwk] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}` // never a pipe: it listens on a port
  const origin = `http://${host}`
  return {
    host,
    documents: published.documents.map((document, at) => ({
      clientId: `${origin}/${at}`,
      name: document.client_name,
      redirectUris: document.redirect_uris,
      isSigning: 'jwks_uri' in document,
    })),
    registrations: published.registrations,
    key: { keyId, privateKey },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
