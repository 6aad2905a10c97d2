import { hashToken } from '../crypto/crypto.ts'
import { authorizationServerOf, type ExchangeClient } from './authorization-server.ts'
import type { AgentService } from './clients/clients.ts'
import type { TokenAnswer, TokenForm } from './contract.ts'
import { OAuth2Error, type OAuth2ErrorCode } from './errors.ts'
import {
  delegate,
  findHeldToken,
  type HeldToken,
  invalidScope,
  liveHolder,
  narrowed,
  resourceNamed,
  stillGiven,
  type TokenRequest,
} from './grants/grants.ts'

export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

const accessToken = 'urn:ietf:params:oauth:token-type:access_token'

/** How many times a token may be exchanged, and what comes of it again. */
const mostLinks = 4

/**
 * A token for another resource, with which a client acts for the client that sent it a token, in the name of the same
 * account (RFC 8693). The actor is the client that has authenticated.
 */
export async function exchange(auth: AgentService, request: TokenRequest): Promise<TokenAnswer> {
  const { client, form, key } = request
  const listed = auth.exchangeClients.get(client.clientId)
  if (!listed) throw new OAuth2Error({ error: 'unauthorized_client' })
  // A client whose document permits it may have shown nothing but its id.
  if (form.client_assertion === undefined) {
    throw refused('invalid_client', 'A client that exchanges tokens signs: private_key_jwt.')
  }
  const subjectToken = readForm(form)
  const resource = resourceFor(auth, request, listed)
  // Only tokens for a resource of this client: one that was stolen elsewhere was not given to it.
  const asked = { tokenHash: hashToken(subjectToken), resources: listed.serves }
  const subject = await findHeldToken(auth, asked)
  if (!subject || !liveHolder(auth, subject, subject.holder)) throw unusable()
  if (deepOf(subject) >= mostLinks) throw refused('invalid_request', tooDeep)
  const scopes = scopesFor(auth, { subject, listed, asked: form.scope })
  if (subject.grant.keyThumbprint !== null && !key) {
    throw refused('invalid_dpop_proof', 'The token is bound to a key. Bind yours: send a proof.')
  }
  const answer = await delegate(auth, request, { subject, resource, scopes })
  if (!answer) throw unusable()
  return { ...answer, issued_token_type: accessToken }
}

/** The token to exchange. Throws if the client asks for more than there is here. */
function readForm(form: TokenForm) {
  const { subject_token: token, requested_token_type: wanted = accessToken } = form
  if (token === undefined || form.subject_token_type !== accessToken || wanted !== accessToken) {
    throw refused('invalid_request', `Send a subject_token. Each type is ${accessToken}.`)
  }
  if (form.actor_token !== undefined || form.actor_token_type !== undefined) {
    throw refused('invalid_request', 'The actor is the client. Leave out actor_token and its type.')
  }
  if (form.audience !== undefined) {
    throw refused('invalid_target', 'Name the target as resource, not as audience.')
  }
  return token
}

function resourceFor(
  auth: AgentService,
  { form: { resource: given }, raw }: TokenRequest,
  { resources }: ExchangeClient,
) {
  const known = { server: authorizationServerOf(auth), ownOrigins: raw.server.ownOrigins }
  const named = given === undefined ? resources[0] : resourceNamed(known, given)
  if (!named || !resources.includes(named)) {
    throw refused('invalid_target', 'The client may not get tokens for this resource.')
  }
  return named
}

interface Asking {
  readonly subject: HeldToken
  readonly listed: ExchangeClient
  readonly asked: string | undefined
}

/** Never more than the exchanged token has, nor than the application allows this client. */
function scopesFor(auth: AgentService, { subject, listed, asked }: Asking) {
  const held = stillGiven(authorizationServerOf(auth), subject.token.scopes)
  const most = held.filter((name) => listed.scopes?.includes(name) ?? true)
  const named = narrowed(most, asked)
  // In one order: requests that name the same ones share a grant.
  const scopes = most.filter((name) => named.includes(name))
  if (scopes.length === 0) throw invalidScope()
  return scopes
}

const deepOf = ({ grant }: HeldToken) => grant.ancestors?.length ?? 0
const tooDeep = `This token has come through ${mostLinks} exchanges, and can't be exchanged again.`

/** One refusal for every fault of the token: RFC 8693, section 2.2.2, prescribes its code. */
const unusable = () =>
  refused(
    'invalid_request',
    'The subject_token is unknown, expired or revoked, or is for a resource that this client does not serve.',
  )

function refused(error: OAuth2ErrorCode, message: string) {
  return new OAuth2Error({ error, message })
}
