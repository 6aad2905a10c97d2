import { parseJson } from '@svc/core'
import { deriveKey, equal, keyedHash } from '../../crypto/crypto.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import { redirectHost } from '../clients/clients.ts'
import { OAuth2Error } from '../errors.ts'
import { readHint } from '../id-tokens/id-tokens.ts'
import type { LogoutFacts } from '../logout-contract.ts'
import type { OpenIdService } from './openid-of.ts'

/** Whether applications can ask to sign a user out here. */
export const endsSessions = ({ openid: { clients } }: Pick<OpenIdService, 'openid'>) =>
  [...clients.values()].some(({ postLogoutRedirectUris: uris }) => uris.length > 0)

/** What an application asks with (OpenID Connect RP-Initiated Logout, section 2). */
export interface LogoutFields {
  id_token_hint?: string | undefined
  client_id?: string | undefined
  post_logout_redirect_uri?: string | undefined
  state?: string | undefined
}

/** Who asks to sign which user out, and where the browser goes then. */
interface Logout {
  clientId: string | null
  /** The `publicId` of the user whom the application means. */
  sub: string | null
  /** One that the client lists. */
  redirectUri: string | null
  state: string | null
}

/**
 * Returns the address of the page that asks the user. The browser has the session and the key of its device, so only
 * the page can sign it out. A fault is shown there too: a redirect to an address that is not listed would be an open one.
 */
export async function toLogoutPage(auth: OpenIdService, fields: LogoutFields) {
  const read = await readLogout(auth, fields)
  const page = new URL(auth.env.SVC_AUTH_OAUTH2_LOGOUT_PATH, auth.appUrl)
  page.search = new URLSearchParams({ request: sealed(auth, read) }).toString()
  return page.href
}

/** The request, or the words for what is wrong with it. */
async function readLogout(auth: OpenIdService, fields: LogoutFields): Promise<Logout | string> {
  const { id_token_hint: token, client_id, post_logout_redirect_uri: uri, state } = fields
  const { issuer } = authorizationServerOf(auth)
  // It may have expired: users sign out after more than an hour, too.
  const hint = token === undefined ? null : await readHint(auth.openid.keys, { issuer, token })
  if (token !== undefined && !hint) return 'The id_token_hint is not from this server.'
  if (hint && client_id !== undefined && hint.aud !== client_id) {
    return 'The id_token_hint is one of another client.'
  }
  const clientId = hint?.aud ?? client_id ?? null
  const asked = { clientId, sub: hint?.sub ?? null, redirectUri: uri ?? null, state: state ?? null }
  return faultOf(auth, asked) ?? asked
}

function faultOf({ openid }: OpenIdService, { clientId, redirectUri }: Logout) {
  const client = clientId === null ? null : openid.clients.get(clientId)
  if (client === undefined) return 'The client is not known here.'
  if (redirectUri === null) return null
  if (client === null) return 'A post_logout_redirect_uri needs the id_token_hint or the client_id.'
  const isListed = client.postLogoutRedirectUris.includes(redirectUri)
  return isListed ? null : 'The post_logout_redirect_uri is not registered for this client.'
}

/** In the address of the page, so that nothing is stored, and no id token is in the history of the browser. */
function sealed({ env, clock }: OpenIdService, asked: Logout | string) {
  const content = Buffer.from(JSON.stringify([clock.now().getTime(), asked])).toString('base64url')
  return `${content}.${sealOf(env, content)}`
}

function sealOf(env: OpenIdService['env'], content: string) {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'OpenID logout requests')
  return keyedHash(key, content)
}

// As for a sign-in, which the page may send the user to first.
const longestMillis = 3_600_000

function opened({ env, clock }: OpenIdService, request: string): Logout | string {
  const [content = '', seal = ''] = request.split('.')
  if (!equal(seal, sealOf(env, content))) return expired
  // Only this server makes the seal, so the content has the form that it has written.
  const [at, asked] = parseJson(Buffer.from(content, 'base64url')) as [number, Logout | string]
  return clock.now().getTime() - at < longestMillis ? asked : expired
}

const expired = 'The request has expired. Sign out again in the application.'

/** Describes the request that the page has in its address. */
export function describeLogout(auth: OpenIdService, request: string): LogoutFacts {
  const asked = opened(auth, request)
  if (typeof asked === 'string') throw refused(asked)
  // The configuration may have changed since, or another instance may have another one.
  const fault = faultOf(auth, asked)
  if (fault !== null) throw refused(fault)
  const { clientId, sub, redirectUri } = asked
  const client = clientId === null ? undefined : auth.openid.clients.get(clientId)
  return {
    ...(client && { clientName: client.client.name }),
    ...(sub !== null && { sub }),
    ...(redirectUri !== null && {
      redirectTo: withState(redirectUri, asked.state),
      redirectHost: redirectHost(redirectUri),
    }),
  }
}

function withState(uri: string, state: string | null) {
  if (state === null) return uri
  const url = new URL(uri)
  url.searchParams.set('state', state)
  return url.href
}

const refused = (message: string) => new OAuth2Error({ error: 'invalid_request', message })
