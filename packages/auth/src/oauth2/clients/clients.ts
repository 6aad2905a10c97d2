import { clientAddress, type RawContext } from '@svc/core'
import { equal, hashToken } from '../../crypto/crypto.ts'
import { OAuth2Error } from '../errors.ts'
import type { AgentService } from './agent-needs.ts'
import { claimedClient, clientOfAssertion, isOfResourceServer } from './client-assertion.ts'
import type { ClientAuthMethod } from './client-keys.ts'
import { findClient, type OAuth2Client } from './find-client.ts'

export type { AgentNeeds, AgentService } from './agent-needs.ts'
export { assertionAlgorithms, clientAuthMethods, createClientKeys } from './client-keys.ts'
export { deviceGrantType } from './client-metadata.ts'
export { readConfiguredClients } from './configured-clients.ts'
export { readExchangeClients } from './exchange-clients.ts'
export { findClient, type OAuth2Client } from './find-client.ts'
export {
  createIdentityProviders,
  readIdentityProviders,
  type TrustedProvider,
} from './identity-providers.ts'
export { type ClientQuery, readClientPage } from './list-clients.ts'
export { isRedirectUriOf, placeOfCode, redirectHost } from './redirect-uri.ts'
export { registerClient } from './register-client.ts'
export { createResourceServers, readResourceServers } from './resource-servers.ts'
export { oauth2Clients } from './schema.ts'
export { idJagType, signedClaims, spendableId } from './signed-jwt.ts'
export { clientsById, findClientName, forgetClients, holdClient } from './store.ts'

/** The client that has sent a request to the token endpoint, once it has authenticated. */
export async function authenticateClient(
  auth: AgentService,
  raw: RawContext,
  credentials: ClientCredentials,
): Promise<OAuth2Client> {
  const shown = shownCredentials(raw, credentials)
  const client = shown && (await findShown(auth, shown, clientAddress(raw)))
  if (client) return client
  throw unauthenticated(raw)
}

/** The resource whose server has sent a request, once that server has authenticated. */
export async function authenticateResourceServer(
  auth: AgentService,
  raw: RawContext,
  credentials: ClientCredentials,
): Promise<string> {
  const shown = shownCredentials(raw, credentials)
  if (shown?.method === 'private_key_jwt') {
    const { clientId, secret: assertion } = shown
    if (await isOfResourceServer(auth, { clientId, assertion })) return clientId
  }
  throw unauthenticated(raw)
}

function unauthenticated(raw: RawContext) {
  // The challenge names the scheme that the client has used (RFC 6749, section 5.2).
  if (raw.req.header('authorization') !== undefined) {
    raw.header('www-authenticate', 'Basic realm="oauth2"')
  }
  return new OAuth2Error({
    error: 'invalid_client',
    message:
      'The client is unknown, or did not authenticate as it registered to. Check client_id and its authentication method.',
  })
}

async function findShown(auth: AgentService, shown: ShownCredentials, address: string | null) {
  const { clientId, method, secret } = shown
  if (method === 'private_key_jwt') {
    return clientOfAssertion(auth, { clientId, assertion: secret, address })
  }
  const client = await findClient(auth, clientId, address)
  return isShown(client, shown) ? client : null
}

/** Only by the method that the client has registered. An unknown client takes as long. */
function isShown(
  client: OAuth2Client | null,
  { method, secret }: ShownCredentials,
): client is OAuth2Client {
  const isRight = equal(hashToken(secret), client?.secretHash ?? '')
  return client !== null && isMethodOf(client, method) && (method === 'none' || isRight)
}

/** The configuration says only that a client has a secret, and libraries differ in where they put it. */
function isMethodOf({ source, authMethod }: OAuth2Client, method: ClientAuthMethod) {
  const isInForm = method === 'client_secret_post' && source === 'configuration'
  return authMethod === (isInForm ? 'client_secret_basic' : method)
}

/** How a client authenticates, in a form. */
export interface ClientCredentials {
  client_id?: string | undefined
  client_secret?: string | undefined
  client_assertion_type?: string | undefined
  client_assertion?: string | undefined
}

/** The client that a request claims to be from, and its proof of that. */
interface ShownCredentials {
  readonly clientId: string
  readonly method: ClientAuthMethod
  /** With `private_key_jwt`, the assertion. */
  readonly secret: string
}

/** Null if it says nothing, or says it in two ways (RFC 6749, section 2.3). */
function shownCredentials(
  raw: RawContext,
  credentials: ClientCredentials,
): ShownCredentials | null {
  const { client_id: clientId, client_secret: secret } = credentials
  const header = raw.req.header('authorization')
  if (credentials.client_assertion !== undefined || credentials.client_assertion_type) {
    return header === undefined ? readAssertion(credentials) : null
  }
  if (header !== undefined) {
    const shown = secret === undefined ? readBasic(header) : null
    return clientId === undefined || clientId === shown?.clientId ? shown : null
  }
  if (clientId === undefined) return null
  if (secret === undefined) return { clientId, method: 'none', secret: '' }
  return { clientId, method: 'client_secret_post', secret }
}

const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/**
 * The `client_id` may be left out. If it is sent, it must be that of the assertion (RFC 7521,
 * section 4.2).
 */
function readAssertion(credentials: ClientCredentials): ShownCredentials | null {
  const { client_id, client_secret, client_assertion: secret, client_assertion_type } = credentials
  if (!secret || client_secret !== undefined || client_assertion_type !== jwtBearer) return null
  const clientId = claimedClient(secret)
  if (clientId === null || (client_id ?? clientId) !== clientId) return null
  return { clientId, method: 'private_key_jwt', secret }
}

const basic = /^Basic +([\w+/]{1,4096}={0,2})$/i

function readBasic(header: string): ShownCredentials | null {
  const [, encoded = ''] = basic.exec(header) ?? []
  const [, id, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const clientId = formDecoded(id)
  const secret = formDecoded(password)
  if (!clientId || secret === null) return null
  return { clientId, method: 'client_secret_basic', secret }
}

/** Both are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function formDecoded(text = '') {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
