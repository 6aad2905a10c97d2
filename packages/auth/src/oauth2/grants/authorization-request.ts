import type { RawContext } from '@svc/core'
import { authorizationServerOf } from '../authorization-server.ts'
import {
  type AgentNeeds,
  type AgentService,
  findClient,
  isRedirectUriOf,
  type OAuth2Client,
} from '../clients/clients.ts'
import type { AuthorizationFields } from '../contract.ts'
import { OAuth2Error, type OAuth2ErrorCode } from '../errors.ts'
import { resourceNamed, scopesNamed } from './scopes.ts'

/**
 * The client that asks, and where its browser may be redirected. Until both are known, there is no
 * redirect.
 */
export interface Destination {
  readonly client: OAuth2Client
  readonly redirectUri: string
}

export interface AuthorizationRequest extends Destination {
  readonly scopes: string[]
  readonly resource: string
  readonly codeChallenge: string
  /** The thumbprint of the key that the code is bound to, if the client names one. */
  readonly keyThumbprint: string | null
}

export async function readDestination(
  auth: AgentService,
  { client_id, redirect_uri }: AuthorizationFields,
  address: string | null,
): Promise<Destination> {
  const client = client_id === undefined ? null : await findClient(auth, client_id, address)
  if (!client) throw unknownClient()
  const redirectUri = redirect_uri ?? onlyRedirectUri(client)
  if (redirectUri === undefined || !isRedirectUriOf(client, redirectUri)) {
    throw refused('invalid_request', 'The redirect_uri is not registered for this client.')
  }
  return { client, redirectUri }
}

/**
 * A document may change between the consent page and the consent, so its client must name the
 * redirect URI.
 */
function onlyRedirectUri({ source, redirectUris }: OAuth2Client) {
  return source === 'registration' && redirectUris.length === 1 ? redirectUris[0] : undefined
}

// A SHA-256 in base64url, like a thumbprint (RFC 7638). `plain` would reveal the verifier to an
// attacker who sees the request (OAuth 2.1, section 7.5).
const sha256 = /^[\w-]{43}$/

/** Reads what a client asks for. Its faults are reported to the client, at its redirect URI. */
export function readRequest(
  auth: AgentService,
  {
    destination,
    fields,
    raw,
  }: { destination: Destination; fields: AuthorizationFields; raw: RawContext },
): AuthorizationRequest {
  const server = authorizationServerOf(auth)
  const { response_type, code_challenge = '', code_challenge_method, dpop_jkt } = fields
  if (response_type !== 'code') {
    throw refused('unsupported_response_type', 'The response_type is code.')
  }
  if (code_challenge_method !== 'S256' || !sha256.test(code_challenge)) {
    throw refused('invalid_request', 'PKCE is needed: a code_challenge with the method S256.')
  }
  if (dpop_jkt !== undefined && !sha256.test(dpop_jkt)) {
    throw refused(
      'invalid_request',
      'The dpop_jkt is not the SHA-256 thumbprint of a key. Send 43 characters of base64url.',
    )
  }
  const resource = resourceNamed({ server, ownOrigins: raw.server.ownOrigins }, fields.resource)
  if (resource === null) throw refused('invalid_target', 'There is no such resource.')
  const scopes = scopesNamed(server, fields.scope)
  const bound = { codeChallenge: code_challenge, keyThumbprint: dpop_jkt ?? null }
  return { ...destination, ...bound, scopes, resource }
}

export const unknownClient = () => refused('invalid_request', 'The client is not known here.')

function refused(error: OAuth2ErrorCode, message: string) {
  return new OAuth2Error({ error, message })
}

interface Answering {
  redirectUri: string
  state: string | undefined
}

/**
 * The address that redirects a browser to a client. Each one names the issuer, so that a client of
 * several servers never sends a code of one to another (RFC 9207).
 */
export function answerAddress(
  auth: AgentNeeds<'authorizationServer'>,
  { redirectUri, state }: Answering,
  answer: Record<string, string>,
) {
  const { issuer } = authorizationServerOf(auth)
  const url = new URL(redirectUri)
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: issuer }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value)
  return url.href
}
