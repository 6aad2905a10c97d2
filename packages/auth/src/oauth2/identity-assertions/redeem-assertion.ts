import { spendId } from '../../once/once.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentService } from '../clients/clients.ts'
import type { TokenAnswer } from '../contract.ts'
import { OAuth2Error, type OAuth2ErrorCode } from '../errors.ts'
import {
  askedOf,
  giveAsserted,
  invalidScope,
  resourceNamed,
  type TokenRequest,
} from '../grants/grants.ts'
import { resourceAddress } from '../resource-address.ts'
import { type Assertion, readAssertion } from './read-assertion.ts'

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The one kind of assertion that is accepted (section 7.2 of the draft). */
export const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag'

/**
 * An access token for an assertion with which a company's identity provider lets the client act for one of its users (RFC
 * 7523, Identity Assertion JWT Authorization Grant). The user is the one who is linked by their sign-in with that
 * provider: no account is opened, and none is found by an address.
 */
export async function redeemAssertion(
  auth: AgentService,
  request: TokenRequest,
): Promise<TokenAnswer> {
  const { client, form, raw } = request
  if (!auth.identityProviders.clientIds.has(client.clientId)) {
    throw refused('unauthorized_client', 'No identity provider may give this client access.')
  }
  // A client whose document permits it may have shown nothing but its id.
  if (client.authMethod === 'none' && form.client_assertion === undefined) {
    throw refused('invalid_client', 'A client that sends an assertion of a user authenticates.')
  }
  if (form.assertion === undefined) throw refused('invalid_request', 'The assertion is missing.')
  const assertion = await readAssertion(auth, request, form.assertion)
  if (!assertion) throw unusable()
  const resource = resourceFor(auth, request, assertion)
  const scopes = scopesFor(auth, form.scope, assertion)
  const { issuer, provider, subject: providerUserId, spendable } = assertion
  const elsewhere = { provider: provider.accounts, providerUserId }
  const userId = await auth.parts.linked(auth.db, elsewhere)
  // Last: an assertion that is of no use must not take the id of another one.
  if (userId === null || !(await spendId(auth, spendable))) throw unusable()
  const answer = await giveAsserted(auth, request, { issuer, userId, elsewhere, resource, scopes })
  if (!answer) throw unusable()
  return { ...answer, resource: resourceAddress(raw, authorizationServerOf(auth), resource) }
}

/** One that the assertion, the configuration and the request agree on. */
function resourceFor(
  auth: AgentService,
  { form: { resource: given }, raw }: TokenRequest,
  { provider, resources: asserted }: Assertion,
) {
  const server = authorizationServerOf(auth)
  const known = { server, ownOrigins: raw.server.ownOrigins }
  const { resources: configured = server.resources } = provider
  const named = asserted?.map((each) => resourceNamed(known, each))
  const allowed = (named ?? configured).filter((each) => each !== null && configured.includes(each))
  const [first] = allowed
  if (!first) throw unusable()
  const asked = given === undefined ? first : resourceNamed(known, given)
  if (!asked || !allowed.includes(asked)) {
    throw refused('invalid_target', 'The identity provider has not allowed this resource.')
  }
  return asked
}

/** Those that the assertion, the configuration and the request all name. */
function scopesFor(auth: AgentService, given: string | undefined, assertion: Assertion) {
  const { provider, scope: asserted } = assertion
  const server = authorizationServerOf(auth)
  const { scopes: configured } = provider
  const most = [...server.scopes.keys()].filter((name) => configured?.includes(name) ?? true)
  const allowed =
    asserted === null ? most : most.filter((name) => asserted.split(' ').includes(name))
  if (allowed.length === 0) throw unusable()
  const unasked = asserted === null ? server.defaultScopes : allowed
  const asked = askedOf(unasked, given)
  // Clients ask for all scopes of a resource, and learn from the response which ones the company has allowed.
  const scopes = allowed.filter((name) => asked.includes(name))
  if (scopes.length === 0) throw invalidScope()
  return scopes
}

/** One refusal for every fault of the assertion, and for a user who is unknown here. */
const unusable = () =>
  refused(
    'invalid_grant',
    'The assertion is malformed, expired, used, or for another client or server, or its user has no account here.',
  )

function refused(error: OAuth2ErrorCode, message: string) {
  return new OAuth2Error({ error, message })
}
