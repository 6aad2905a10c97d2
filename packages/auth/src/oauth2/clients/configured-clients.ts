import { EnvironmentError } from '@svc/core'
import { hashToken, type TokenHash } from '../../crypto/crypto.ts'
import { isProviderAddress } from '../../providers/providers.ts'
import type {
  AuthorizationServer,
  AuthorizationServerOptions,
  OpenIdClient,
} from '../authorization-server.ts'
import { type ClientAuthMethod, type Declaring, declaredKeys } from './client-keys.ts'
import { isRedirectUri } from './redirect-uri.ts'
import type { OAuth2Client } from './store.ts'

/** An application of the configuration, which signs users in. */
interface ConfiguredClient {
  /** In the form of a stored client, although no row has it. */
  readonly client: OAuth2Client
  readonly isTrusted: boolean
  readonly idTokenAlgorithm: OpenIdClient['idTokenAlgorithm']
  readonly logoutUri: string | null
  readonly postLogoutRedirectUris: readonly string[]
}

/** By their ids. */
export type ConfiguredClients = ReadonlyMap<string, ConfiguredClient>

/** Throws if one of them can't be a client. */
export function readConfiguredClients(
  options: AuthorizationServerOptions | undefined,
  server: AuthorizationServer | null,
): ConfiguredClients {
  const clients = Object.entries(options?.openid?.clients ?? {})
  if (!server) return new Map()
  const told = clients.flatMap(([id, client]) =>
    problemsOf(server, id, client).map(
      (problem) => `authorizationServer.openid.clients["${id}"] ${problem}`,
    ),
  )
  if (told.length > 0) throw new EnvironmentError(told)
  return new Map(clients.map(([id, client]) => [id, configured(id, client)]))
}

// Shorter than the id of a registered client, so that none is both.
const clientId = /^[\w-]{1,40}$/
const sha256 = /^[\da-f]{64}$/

function problemsOf(server: AuthorizationServer, id: string, client: OpenIdClient) {
  const { name, redirectUris, secretHash, keys, backchannelLogoutUri: logoutUri } = client
  const { postLogoutRedirectUris: afterwards } = client
  const isUnusable = (uri: string) => !isRedirectUri(uri, server.appSchemes)
  return [
    !clientId.test(id) && 'needs an id of 1 to 40 letters, digits, - and _',
    name.trim() === '' && 'needs a name, which users know it by',
    redirectUris.length === 0 && 'needs redirectUris',
    ...redirectUris
      .filter(isUnusable)
      .map((uri) => `has the redirect URI "${uri}", which is not https in its normal form`),
    ...(afterwards ?? [])
      .filter(isUnusable)
      .map(
        (uri) => `has the postLogoutRedirectUri "${uri}", which is not https in its normal form`,
      ),
    afterwards?.length === 0 && 'has no URI in postLogoutRedirectUris. Name one, or leave it out',
    secretHash !== undefined && keys && 'has a secretHash and keys. Leave out one of them',
    secretHash !== undefined &&
      !sha256.test(secretHash) &&
      'needs a secretHash that is a SHA-256 in lowercase hex',
    secretHash === hashToken('') && 'has the secretHash of an empty secret',
    keys && !declaredKeys(declaring(keys)) && 'has keys with no usable public key',
    keys && 'jwksUri' in keys && !isProviderAddress(keys.jwksUri) && 'has a jwksUri without https',
    logoutUri !== undefined &&
      !isProviderAddress(logoutUri) &&
      'has a backchannelLogoutUri without https',
  ].filter((problem) => typeof problem === 'string')
}

const declaring = (keys: NonNullable<OpenIdClient['keys']>): Declaring =>
  'jwks' in keys ? { jwks: keys.jwks } : { jwks_uri: keys.jwksUri }

function methodOf({ secretHash, keys }: OpenIdClient): ClientAuthMethod {
  if (keys) return 'private_key_jwt'
  return secretHash === undefined ? 'none' : 'client_secret_basic'
}

function configured(id: string, given: OpenIdClient): ConfiguredClient {
  const authMethod = methodOf(given)
  const client: OAuth2Client = {
    clientId: id,
    source: 'configuration',
    name: given.name,
    uri: null,
    redirectUris: [...given.redirectUris],
    authMethod,
    // Already the hash of a secret: the configuration never has the secret itself.
    secretHash: (given.secretHash ?? null) as TokenHash | null,
    declaredKeys: given.keys ? declaring(given.keys) : null,
    // Without any other proof of who sends a token, a stolen one would be worth as much.
    isDpopBound: authMethod === 'none',
    hasDeviceGrant: false,
    createdAt: new Date(0),
    expiresAt: new Date(0),
  }
  const { trusted: isTrusted = false, idTokenAlgorithm, backchannelLogoutUri } = given
  const { postLogoutRedirectUris = [] } = given
  const logoutUri = backchannelLogoutUri ?? null
  return { client, isTrusted, idTokenAlgorithm, logoutUri, postLogoutRedirectUris }
}
